// expect: assertion
// A handler and the code that it interrupts update a counter: the update in between is lost.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static volatile int count;

static void on_signal(int number) {
  (void)number;
  count = count + 1;
}

static void* work(void* argument) {
  count = count + 1;
  return argument;
}

static void* signal_it(void* argument) {
  pthread_kill(*(pthread_t*)argument, SIGUSR1);
  return NULL;
}

static int read_count(void) {
  return count;
}

int main(void) {
  pthread_t worker;
  pthread_t sender;
  signal(SIGUSR1, on_signal);
  pthread_t self = pthread_self();
  pthread_create(&sender, NULL, signal_it, &self);
  pthread_create(&worker, NULL, work, NULL);
  count = count + 1;
  pthread_join(sender, NULL);
  pthread_join(worker, NULL);
  assert(read_count() == 3);
}
