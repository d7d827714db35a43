// expect: assertion
// message: total == 5
// Per-thread counts are flushed by a key destructor, which forgets the lock.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int total;

static void flush(void* value) {
  const int* count = value;
  total = total + *count;
}

static void* work(void* count) {
  pthread_setspecific(key, count);
  return NULL;
}

int main(void) {
  int counts[2] = {2, 3};
  pthread_t threads[2];
  pthread_key_create(&key, flush);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &counts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(total == 5);
}
