// expect: ok
// Each thread has a mask of its own: a signal to the process goes to one that does not block it, a blocked
// one waits until it is unblocked.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_t receiver;
static volatile sig_atomic_t handled;

static void on_signal(int number) {
  assert(number == SIGUSR1);
  assert(pthread_equal(pthread_self(), receiver));
  handled = handled + 1;
}

static void* receive(void* argument) {
  sigset_t set;
  sigset_t pending;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  receiver = pthread_self();
  assert(raise(SIGUSR1) == 0);
  assert(handled == 0);
  assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
  assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
  assert(handled == 1);
  assert(kill(getpid(), SIGUSR1) == 0);
  assert(handled == 2);
  return argument;
}

int main(void) {
  pthread_t thread;
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  struct sigaction action = {.sa_handler = on_signal};
  assert(sigaction(SIGUSR1, &action, NULL) == 0);
  assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  assert(!sigismember(&before, SIGUSR1));
  pthread_create(&thread, NULL, receive, NULL);  // inherits the mask
  pthread_join(thread, NULL);
  assert(pthread_sigmask(SIG_SETMASK, NULL, &before) == 0);
  assert(sigismember(&before, SIGUSR1));
  assert(handled == 2);
}
