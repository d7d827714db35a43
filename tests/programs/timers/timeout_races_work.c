// expect: assertion
// The alarm that gives up can come when the work is just done: its handler takes both for granted.
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int done;
static atomic_int gave_up;

static void on_alarm(int number) {
  (void)number;
  if (!atomic_load(&done)) atomic_store(&gave_up, 1);
}

static void* work(void* argument) {
  usleep(1000);
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t worker;
  signal(SIGALRM, on_alarm);
  alarm(3600);
  pthread_create(&worker, NULL, work, NULL);
  ualarm(1000, 0);
  pthread_join(worker, NULL);
  assert(!atomic_load(&gave_up));
}
