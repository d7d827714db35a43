// expect: assertion
// Asynchronous cancellation can hit between the two halves of an update.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int from;
static atomic_int to;

static void* move(void* argument) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  atomic_fetch_sub(&from, 1);
  atomic_fetch_add(&to, 1);
  return argument;
}

int main(void) {
  pthread_t mover;
  pthread_create(&mover, NULL, move, NULL);
  atomic_load(&to);  // shared, so that a switch there is seen
  pthread_cancel(mover);
  pthread_join(mover, NULL);
  assert(atomic_load(&from) + atomic_load(&to) == 0);
}
