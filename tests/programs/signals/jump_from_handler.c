// expect: ok
// siglongjmp out of a handler restores the thread's mask, so that the next signal comes through.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf escape;

static void on_signal(int number) {
  siglongjmp(escape, number);
}

int main(void) {
  signal(SIGUSR1, on_signal);
  for (volatile int i = 0; i < 3; ++i) {
    const int number = sigsetjmp(escape, 1);
    if (number == 0) {
      raise(SIGUSR1);
      assert(0);
    }
    assert(number == SIGUSR1);
  }
}
