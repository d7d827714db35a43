// expect: ok
// pthread_once: exactly one thread runs the routine, the others wait until it has ended.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;
static int value;

static void initialise(void) {
  ++calls;
  sched_yield();
  value = 7;
}

static void* use(void* argument) {
  pthread_once(&once, initialise);
  assert(value == 7);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(calls == 1);
}
