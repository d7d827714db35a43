// expect: ok
// An error-checking mutex tells its owner about the second lock; a program that handles EDEADLK is correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int count;

static void* work(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
  ++count;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_t threads[2];
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(count == 2);
  assert(pthread_mutex_destroy(&mutex) == 0);
}
