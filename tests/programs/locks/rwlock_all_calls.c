// expect: ok
// Every call of POSIX read-write locks: readers together, writers alone, try and timed variants.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left;
static int right;

static void* write_both(void* argument) {
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  const int result = pthread_rwlock_timedwrlock(&lock, &deadline);
  assert(result == 0 || result == ETIMEDOUT);
  if (result != 0) pthread_rwlock_wrlock(&lock);
  ++left;
  assert(pthread_rwlock_tryrdlock(&lock) != 0);
  ++right;
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    assert(left == right);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

static void* read_both(void* argument) {
  pthread_rwlock_rdlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_tryrdlock(&lock) == 0) {
    assert(left == right);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, read_both, NULL);
  pthread_create(&threads[1], NULL, write_both, NULL);
  pthread_create(&threads[2], NULL, read_both, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(left == 1 && right == 1);
  pthread_rwlock_destroy(&lock);
}
