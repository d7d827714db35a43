// expect: ok
// Signals read from a descriptor, together with a pipe.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void* send_it(void* argument) {
  assert(kill(getpid(), SIGUSR1) == 0);
  return argument;
}

int main(void) {
  pthread_t sender;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  const int fd = signalfd(-1, &set, 0);
  assert(fd >= 0);
  pthread_create(&sender, NULL, send_it, NULL);
  struct pollfd entry = {fd, POLLIN, 0};
  assert(poll(&entry, 1, -1) == 1);
  struct signalfd_siginfo info;
  assert(read(fd, &info, sizeof info) == sizeof info);
  assert(info.ssi_signo == SIGUSR1);
  pthread_join(sender, NULL);
}
