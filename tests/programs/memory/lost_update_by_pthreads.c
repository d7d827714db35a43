// expect: assertion
// message: count == 2
// optimize: -O0 -O2
// The same in C, with a pointer to a local of main.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* add(void* argument) {
  long* count = argument;
  ++*count;
  return NULL;
}

int main(void) {
  long count = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, &count);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(count == 2);
}
