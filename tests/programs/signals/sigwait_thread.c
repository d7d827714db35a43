// expect: ok
// The usual design: every thread blocks the signals, one of them takes them with sigwait.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sigset_t signals;
static int taken;

static void* take(void* argument) {
  int number = 0;
  while (sigwait(&signals, &number) == 0 && number == SIGUSR1) ++taken;
  assert(number == SIGTERM);
  return argument;
}

int main(void) {
  pthread_t taker;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &signals, NULL) == 0);
  pthread_create(&taker, NULL, take, NULL);
  assert(pthread_kill(taker, SIGUSR1) == 0);
  assert(kill(getpid(), SIGTERM) == 0);
  pthread_join(taker, NULL);
  assert(taken <= 1);  // the lower number comes first, unless SIGTERM was taken before it was sent
}
