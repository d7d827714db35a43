// expect: ok
// An alarm ends a longer sleep, sigsuspend and a blocked read; what was left of the sleep is told.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;

static void on_alarm(int number) {
  assert(number == SIGALRM);
  alarms = alarms + 1;
}

int main(void) {
  int ends[2];
  char letter;
  sigset_t set;
  sigset_t before;
  struct sigaction action = {.sa_handler = on_alarm};
  assert(sigaction(SIGALRM, &action, NULL) == 0);
  alarm(10);
  const unsigned left = sleep(60);
  assert(alarms == 1 && (left == 50 || left == 0));  // 0: it came before the sleep began
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  assert(sigprocmask(SIG_BLOCK, &set, &before) == 0);
  alarm(1);
  assert(sigsuspend(&before) == -1 && errno == EINTR && alarms == 2);
  assert(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
  assert(pipe(ends) == 0);
  const struct itimerval often = {.it_value = {1, 0}, .it_interval = {1, 0}};
  assert(setitimer(ITIMER_REAL, &often, NULL) == 0);
  assert(read(ends[0], &letter, 1) == -1 && errno == EINTR && alarms >= 3);
}
