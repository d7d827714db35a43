// expect: internal-error
// message: pthread_cancel
// Cancellation is not supported: heddle says so instead of going on without it.
#include <pthread.h>
#include <stddef.h>

static void* work(void* argument) {
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_cancel(worker);
  pthread_join(worker, NULL);
}
