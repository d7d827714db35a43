// expect: ok
// Cancelled while it waits: cleanup handlers run with the mutex locked again, the result says so.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void* argument) {
  ++cleaned;
  assert(pthread_mutex_unlock(argument) == 0);
}

static void* wait_forever(void* argument) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return argument;
}

int main(void) {
  pthread_t waiter;
  void* result = NULL;
  pthread_create(&waiter, NULL, wait_forever, NULL);
  assert(pthread_cancel(waiter) == 0);
  assert(pthread_join(waiter, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&mutex);
  assert(cleaned == 1);
  pthread_mutex_unlock(&mutex);
}
