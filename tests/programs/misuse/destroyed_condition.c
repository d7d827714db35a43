// expect: misuse
// The owner destroys the condition variable while somebody waits on it.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting;

static void* wait_a_minute(void* argument) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  pthread_mutex_lock(&mutex);
  waiting = 1;
  pthread_cond_timedwait(&changed, &mutex, &deadline);
  waiting = 0;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_a_minute, NULL);
  pthread_mutex_lock(&mutex);
  if (waiting) pthread_cond_destroy(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(waiter, NULL);
}
