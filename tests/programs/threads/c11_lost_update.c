// expect: assertion
// message: count == 2
// C11 threads and a counter without a lock.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static int count;

static int work(void* argument) {
  (void)argument;
  int seen = count;
  thrd_yield();
  count = seen + 1;
  return 0;
}

int main(void) {
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], work, NULL);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], NULL);
  assert(count == 2);
}
