// expect: ok
// A handler that jumps out of a blocked read and of sigsuspend: the thread goes on as if nothing was being
// waited for.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static sigjmp_buf escape;
static int ends[2];
static atomic_int ready;

static void on_signal(int number) {
  siglongjmp(escape, number);
}

static void* wait_and_escape(void* argument) {
  sigset_t none;
  char letter;
  sigemptyset(&none);
  if (sigsetjmp(escape, 1) == 0) {
    atomic_store(&ready, 1);
    assert(read(ends[0], &letter, 1) == 0);
    assert(0);
  }
  if (sigsetjmp(escape, 1) == 0) {
    atomic_store(&ready, 2);
    for (;;) sigsuspend(&none);
  }
  assert(write(ends[1], "x", 1) == 1);
  assert(read(ends[0], &letter, 1) == 1);
  return argument;
}

int main(void) {
  pthread_t waiter;
  signal(SIGUSR1, on_signal);
  assert(pipe(ends) == 0);
  pthread_create(&waiter, NULL, wait_and_escape, NULL);
  for (int round = 1; round <= 2; ++round) {
    while (atomic_load(&ready) != round) continue;
    assert(pthread_kill(waiter, SIGUSR1) == 0);
  }
  pthread_join(waiter, NULL);
}
