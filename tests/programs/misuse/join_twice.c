// expect: misuse
// Two threads join the same third one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_t worker;
static atomic_int is_joined;

static void* work(void* argument) {
  return argument;
}

static void* join_worker(void* argument) {
  if (!atomic_load(&is_joined)) {
    pthread_join(worker, NULL);
    atomic_store(&is_joined, 1);
  }
  return argument;
}

int main(void) {
  pthread_t helper;
  pthread_create(&worker, NULL, work, NULL);
  pthread_create(&helper, NULL, join_worker, NULL);
  join_worker(NULL);
  pthread_join(helper, NULL);
}
