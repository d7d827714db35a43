// expect: ok
// Mutexes with priority protocols lock like any other, and keep their ceiling.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutexes[2];
static int count;

static void* add(void* argument) {
  for (int i = 0; i < 2; ++i) pthread_mutex_lock(&mutexes[i]);
  ++count;
  for (int i = 0; i < 2; ++i) pthread_mutex_unlock(&mutexes[1 - i]);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutexattr_t attributes;
  int ceiling = 0;
  pthread_mutexattr_init(&attributes);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
  assert(pthread_mutex_init(&mutexes[0], &attributes) == 0);
  assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
  assert(pthread_mutexattr_setprioceiling(&attributes, 5) == 0);
  assert(pthread_mutex_init(&mutexes[1], &attributes) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(count == 2);
  assert(pthread_mutex_getprioceiling(&mutexes[1], &ceiling) == 0 && ceiling == 5);
}
