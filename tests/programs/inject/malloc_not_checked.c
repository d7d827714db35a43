// expect: crash
// inject: allocations:20
#include <pthread.h>
#include <stdlib.h>

struct job {
  int number;
  struct job* next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct job* jobs;

static void* produce(void* first) {
  for (int i = 0; i < 3; ++i) {
    struct job* job = malloc(sizeof *job);
    job->number = *(int*)first + i;
    pthread_mutex_lock(&mutex);
    job->next = jobs;
    jobs = job;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t producers[2];
  int first[2] = {0, 100};
  for (int i = 0; i < 2; ++i) pthread_create(&producers[i], NULL, produce, &first[i]);
  for (int i = 0; i < 2; ++i) pthread_join(producers[i], NULL);
  while (jobs != NULL) {
    struct job* next = jobs->next;
    free(jobs);
    jobs = next;
  }
  return 0;
}
