// expect: ok
// A thread that refuses cancellation finishes its work; afterwards the request still stands.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int done;

static void* work(void* argument) {
  int before;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
  assert(before == PTHREAD_CANCEL_ENABLE);
  usleep(1000);
  done = 1;
  pthread_testcancel();
  pthread_barrier_wait(argument);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL) == 0);
  pthread_testcancel();
  assert(0);
}

int main(void) {
  pthread_t worker;
  pthread_barrier_t barrier;
  void* result;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&worker, NULL, work, &barrier);
  assert(pthread_cancel(worker) == 0);
  pthread_barrier_wait(&barrier);
  pthread_join(worker, &result);
  assert(result == PTHREAD_CANCELED && done == 1);
}
