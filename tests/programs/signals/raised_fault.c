// expect: crash
// message: SIGSEGV
// executions: 1
// Sent by the program itself, and nobody handles it: a crash like any other.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void* work(void* argument) {
  raise(SIGSEGV);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
}
