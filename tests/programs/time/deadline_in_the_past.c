// expect: ok
// executions: 50
// A loop around a timed wait whose moment has always passed makes time pass, so that what it waits for,
// somebody else's sleep, comes to its end.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void* sleep_first(void* argument) {
  const struct timespec duration = {1, 0};
  nanosleep(&duration, NULL);
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t sleeper;
  pthread_create(&sleeper, NULL, sleep_first, NULL);
  pthread_mutex_lock(&mutex);
  while (!done) {
    const struct timespec past = {2, 0};
    pthread_cond_timedwait(&changed, &mutex, &past);
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(sleeper, NULL);
}
