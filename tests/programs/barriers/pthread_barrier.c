// expect: ok
// Three threads, two phases: nobody starts the second before all ended the first, and one of them is serial.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;
static int cells[3];
static int serial_threads;

static void* work(void* argument) {
  int* cell = argument;
  *cell = 1;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial_threads;
  assert(cells[0] + cells[1] + cells[2] == 3);
  pthread_barrier_wait(&barrier);
  *cell = 2;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, NULL, 3);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, &cells[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(serial_threads == 1);
  assert(cells[0] + cells[1] + cells[2] == 6);
  pthread_barrier_destroy(&barrier);
}
