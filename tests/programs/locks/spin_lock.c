// expect: ok
// POSIX spin locks, blocking and trying.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int count;
static int skipped;

static void* work(void* argument) {
  pthread_spin_lock(&lock);
  ++count;
  pthread_spin_unlock(&lock);
  if (pthread_spin_trylock(&lock) == 0) {
    ++count;
    pthread_spin_unlock(&lock);
  } else {
    __atomic_fetch_add(&skipped, 1, __ATOMIC_SEQ_CST);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(count + skipped == 6);
  pthread_spin_destroy(&lock);
}
