// expect: ok
// pthread_cond_timedwait in a loop: a time-out only makes the waiter look again, and comes no earlier than
// due.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) {
    struct timespec deadline;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 30;
    const int result = pthread_cond_timedwait(&changed, &mutex, &deadline);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(result == 0 || result == ETIMEDOUT);
    if (result == ETIMEDOUT) assert(now.tv_sec >= deadline.tv_sec);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(worker, NULL);
}
