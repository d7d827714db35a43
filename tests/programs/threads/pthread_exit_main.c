// expect: ok
// main ends by pthread_exit; the others live on, and the process ends with the last of them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int running = 2;

static void check_all_ended(void) {
  assert(running == 0);
}

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  --running;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  atexit(check_all_ended);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  pthread_detach(threads[0]);
  pthread_detach(threads[1]);
  pthread_exit(NULL);
}
