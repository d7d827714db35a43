// expect: ok
// Real-time signals queue with their values; sigtimedwait gives up in virtual time; tgkill by gettid.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static void* receive(void* argument) {
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  for (int i = 1; i <= 3; ++i) {
    assert(sigwaitinfo(&set, &info) == SIGRTMIN);
    assert(info.si_value.sival_int == i);
  }
  const struct timespec hour = {3600, 0};
  assert(sigtimedwait(&set, &info, &hour) == -1 && errno == EAGAIN);
  assert(tgkill(getpid(), gettid(), SIGRTMIN) == 0);
  assert(sigtimedwait(&set, &info, &hour) == SIGRTMIN);
  return argument;
}

int main(void) {
  pthread_t receiver;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  for (int i = 1; i <= 3; ++i)
    assert(pthread_sigqueue(receiver, SIGRTMIN, (union sigval){.sival_int = i}) == 0);
  pthread_join(receiver, NULL);
}
