// expect: ok
// sigsuspend opens the mask and waits in one step, so the signal cannot come too early.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void on_signal(int number) {
  (void)number;
  came = 1;
}

static void* wake(void* argument) {
  assert(pthread_kill(*(pthread_t*)argument, SIGUSR1) == 0);
  return NULL;
}

int main(void) {
  pthread_t waker;
  pthread_t self = pthread_self();
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR1, on_signal);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  pthread_create(&waker, NULL, wake, &self);
  while (!came) assert(sigsuspend(&before) == -1 && errno == EINTR);
  pthread_join(waker, NULL);
}
