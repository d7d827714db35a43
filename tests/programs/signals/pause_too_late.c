// expect: deadlock
// The signal can come between the look at the flag and pause: then pause waits for ever.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t came;

static void on_signal(int number) {
  (void)number;
  came = 1;
}

static void* wake(void* argument) {
  pthread_kill(*(pthread_t*)argument, SIGUSR1);
  return NULL;
}

int main(void) {
  pthread_t waker;
  pthread_t self = pthread_self();
  signal(SIGUSR1, on_signal);
  pthread_create(&waker, NULL, wake, &self);
  while (!came) pause();
  pthread_join(waker, NULL);
}
