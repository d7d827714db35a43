// expect: ok
// POSIX timers: one sends a signal to a thread that awaits it, one runs a function in a thread of its own.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static sem_t ran;

static void notify(union sigval value) {
  assert(value.sival_int == 7);
  sem_post(&ran);
}

int main(void) {
  sigset_t set;
  siginfo_t info;
  timer_t timer;
  timer_t other;
  const struct itimerspec minute = {.it_value = {60, 0}};
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 9};
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &minute, NULL) == 0);
  assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_value.sival_int == 9);
  sem_init(&ran, 0, 0);
  struct sigevent run = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 7};
  run.sigev_notify_function = notify;
  assert(timer_create(CLOCK_MONOTONIC, &run, &other) == 0);
  assert(timer_settime(other, 0, &minute, NULL) == 0);
  assert(sem_wait(&ran) == 0);
  assert(timer_delete(timer) == 0 && timer_delete(other) == 0);
}
