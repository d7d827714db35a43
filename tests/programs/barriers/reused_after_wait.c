// expect: ok
// Whoever leaves the barrier as its serial thread may destroy it and make another one in the same place at
// once, though others have not left yet.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static pthread_barrier_t* on_heap;

static void* work(void* argument) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    assert(pthread_barrier_destroy(&barrier) == 0);
    assert(pthread_barrier_init(&barrier, NULL, 5) == 0);
  }
  if (pthread_barrier_wait(on_heap) == PTHREAD_BARRIER_SERIAL_THREAD) {
    assert(pthread_barrier_destroy(on_heap) == 0);
    free(on_heap);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  on_heap = malloc(sizeof *on_heap);
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_barrier_init(on_heap, NULL, 3);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
}
