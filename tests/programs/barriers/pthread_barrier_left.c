// expect: deadlock
// A thread that sees the stop flag leaves without arriving at the barrier; the other one waits for it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static atomic_int stop;

static void* work(void* argument) {
  if (atomic_load(&stop)) return NULL;
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, NULL, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  atomic_store(&stop, 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
