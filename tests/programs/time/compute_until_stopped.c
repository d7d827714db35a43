// expect: ok
// executions: 5
// A thread computes without any synchronisation until main, which sleeps meanwhile, tells it to stop:
// computing takes time, too.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static volatile int stop;
static unsigned cells[64];

static void* compute(void* argument) {
  for (unsigned i = 0; !stop; ++i) cells[i % 64] += i;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, NULL);
  usleep(20000);
  stop = 1;
  pthread_join(thread, NULL);
}
