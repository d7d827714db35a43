// expect: lost-wakeup
// A wait without any predicate: the signal that came before it is gone.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&finished);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&finished, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(worker, NULL);
}
