// expect: misuse
// "Join the last worker" is run by the last worker itself if main is slow.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t worker;
static atomic_int cleaner_chosen;

static void clean_up(void) {
  if (atomic_exchange(&cleaner_chosen, 1) == 0) pthread_join(worker, NULL);
}

static void* work(void* argument) {
  clean_up();
  return argument;
}

int main(void) {
  pthread_create(&worker, NULL, work, NULL);
  clean_up();
}
