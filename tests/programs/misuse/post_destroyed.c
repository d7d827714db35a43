// expect: misuse
// message: uses a semaphore that has been destroyed
// Two workers post, but main destroys the semaphore when the first of them has.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;

static void* work(void* argument) {
  sem_post(&done);
  return argument;
}

int main(void) {
  pthread_t workers[2];
  sem_init(&done, 0, 0);
  for (int i = 0; i < 2; ++i) pthread_create(&workers[i], NULL, work, NULL);
  sem_wait(&done);
  sem_destroy(&done);
  for (int i = 0; i < 2; ++i) pthread_join(workers[i], NULL);
}
