// expect: misuse
// The fast path skips the lock, and then waits as if it held it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  atomic_store(&ready, 1);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  while (!atomic_load(&ready)) pthread_cond_wait(&changed, &mutex);
  pthread_join(worker, NULL);
}
