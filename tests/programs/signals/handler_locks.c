// expect: deadlock
// A handler takes a lock that the code it interrupts may hold.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void add(void) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
}
static void on_signal(int number) {
  (void)number;
  add();
}
static void* work(void* argument) {
  add();
  return argument;
}

int main(void) {
  pthread_t worker;
  signal(SIGUSR1, on_signal);
  pthread_create(&worker, NULL, work, NULL);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, NULL);
}
