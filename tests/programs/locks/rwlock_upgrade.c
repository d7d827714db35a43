// expect: deadlock
// A reader that finds the entry missing takes the write lock before it gives back its read lock.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entry;

static void* fill(void* argument) {
  pthread_rwlock_wrlock(&lock);
  entry = 1;
  pthread_rwlock_unlock(&lock);
  return argument;
}

static void* look_up(void* argument) {
  pthread_rwlock_rdlock(&lock);
  if (entry == 0) {
    pthread_rwlock_wrlock(&lock);
    entry = 1;
  }
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, fill, NULL);
  pthread_create(&threads[1], NULL, look_up, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
