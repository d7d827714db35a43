// expect: misuse
// main destroys the mutex when the work is done, not when the worker is.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void* work(void* argument) {
  atomic_store(&done, 1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  if (atomic_load(&done)) {
    pthread_mutex_destroy(&mutex);
  }
  pthread_join(worker, NULL);
}
