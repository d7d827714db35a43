// expect: misuse
// A thread detaches itself; whoever joins it afterwards has no right to.
#include <pthread.h>
#include <stddef.h>

static void* work(void* argument) {
  pthread_detach(pthread_self());
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_join(worker, NULL);
}
