// expect: ok
// A signal that comes while its handler runs is kept, and handled after it; a reset handler is gone.
#include <assert.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t depth;
static volatile sig_atomic_t count;

static void on_signal(int number) {
  assert(++depth == 1);
  if (++count == 1) {
    assert(raise(number) == 0);
    assert(kill(getpid(), number) == 0);
  }
  --depth;
}

int main(void) {
  struct sigaction action = {.sa_handler = on_signal};
  struct sigaction now;
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(raise(SIGUSR1) == 0);
  assert(count == 2);
  action.sa_flags = SA_RESETHAND;
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(raise(SIGUSR1) == 0 && count == 3);
  assert(sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == SIG_DFL);
}
