// expect: assertion
// message: total == 2 * kRounds
// executions: 200
// Stacks of the program's own, told to the sanitizer through its fiber API as Boost.Context and QEMU do it.
// Two threads run one each, and their updates of `total` are not atomic.
#include <assert.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>

enum { kStack = 65536, kRounds = 2 };

struct Routine {
  ucontext_t inside, outside;
  void* inside_fiber;
  void* outside_fiber;
  int done;
};

static int total;

static void leave(struct Routine* routine) {
  __tsan_switch_to_fiber(routine->outside_fiber, 0);
  swapcontext(&routine->inside, &routine->outside);
}

static void body(unsigned high, unsigned low) {
  struct Routine* routine = (struct Routine*)((unsigned long)high << 32 | low);
  for (int i = 0; i < kRounds; ++i) {
    ++total;
    leave(routine);
  }
  routine->done = 1;
  leave(routine);
}

static void* run(void* argument) {
  struct Routine routine = {.done = 0};
  void* stack = malloc(kStack);
  getcontext(&routine.inside);
  routine.inside.uc_stack.ss_sp = stack;
  routine.inside.uc_stack.ss_size = kStack;
  routine.inside.uc_link = NULL;
  const unsigned long address = (unsigned long)&routine;
  makecontext(&routine.inside, (void (*)(void))body, 2, (unsigned)(address >> 32), (unsigned)address);
  routine.inside_fiber = __tsan_create_fiber(0);
  __tsan_set_fiber_name(routine.inside_fiber, "routine");
  routine.outside_fiber = __tsan_get_current_fiber();
  while (!routine.done) {
    __tsan_switch_to_fiber(routine.inside_fiber, 0);
    swapcontext(&routine.outside, &routine.inside);
  }
  assert(__tsan_get_current_fiber() == routine.outside_fiber);
  __tsan_destroy_fiber(routine.inside_fiber);
  free(stack);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  run(NULL);
  pthread_join(thread, NULL);
  assert(total == 2 * kRounds);
}
