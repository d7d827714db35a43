// expect: ok
// ppoll opens the mask for the time of its wait only: a signal that came before ends it, and none is missed.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void on_signal(int number) {
  (void)number;
  came = 1;
}

static void* send_it(void* argument) {
  assert(pthread_kill(*(pthread_t*)argument, SIGUSR1) == 0);
  return NULL;
}

int main(void) {
  pthread_t sender;
  pthread_t self = pthread_self();
  sigset_t set;
  sigset_t before;
  int ends[2];
  assert(pipe(ends) == 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR1, on_signal);
  assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  pthread_create(&sender, NULL, send_it, &self);
  struct pollfd entry = {ends[0], POLLIN, 0};
  while (!came) assert(ppoll(&entry, 1, NULL, &before) == -1 && errno == EINTR);
  pthread_join(sender, NULL);
}
