// expect: ok
// The owner of a robust mutex ends: the next one is told, makes the data consistent and goes on; one who does
// not leaves it unusable.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void* die_with_lock(void* argument) {
  assert(pthread_mutex_lock(&mutex) == 0);
  return argument;
}

static int make_owner_die(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, die_with_lock, NULL);
  const int result = pthread_mutex_lock(&mutex);
  if (result == 0) pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return result == 0 ? pthread_mutex_lock(&mutex) : result;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
  assert(pthread_mutex_init(&mutex, &attributes) == 0);
  assert(make_owner_die() == EOWNERDEAD);
  assert(pthread_mutex_consistent(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(make_owner_die() == EOWNERDEAD);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  assert(pthread_mutex_destroy(&mutex) == 0);
}
