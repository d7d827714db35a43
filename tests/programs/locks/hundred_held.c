// expect: ok
// Many locks held at once, and released in the order in which they were taken.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { kCount = 100 };

static pthread_mutex_t mutexes[kCount];
static pthread_rwlock_t locks[kCount];

static void* work(void* argument) {
  for (int i = 0; i < kCount; ++i) assert(pthread_rwlock_rdlock(&locks[i]) == 0);
  for (int i = 0; i < kCount; ++i) assert(pthread_mutex_lock(&mutexes[i]) == 0);
  for (int i = 0; i < kCount; ++i) assert(pthread_rwlock_unlock(&locks[i]) == 0);
  for (int i = 0; i < kCount; ++i) assert(pthread_mutex_unlock(&mutexes[i]) == 0);
  return argument;
}

int main(void) {
  pthread_t other;
  for (int i = 0; i < kCount; ++i) {
    pthread_mutex_init(&mutexes[i], NULL);
    pthread_rwlock_init(&locks[i], NULL);
  }
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
}
