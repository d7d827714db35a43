// expect: misuse
// The mutex is destroyed while another thread is inside.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int entered;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  __atomic_store_n(&entered, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  while (!__atomic_load_n(&entered, __ATOMIC_SEQ_CST)) {
  }
  pthread_mutex_destroy(&mutex);
  pthread_join(worker, NULL);
}
