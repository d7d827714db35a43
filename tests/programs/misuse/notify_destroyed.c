// expect: misuse
// message: notifies a condition variable that has been destroyed
// The notifier has let go of the mutex already; the waiter sees the flag and destroys the condition variable.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* announce(void* argument) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&changed);
  return argument;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, announce, NULL);
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&changed);
  pthread_join(worker, NULL);
}
