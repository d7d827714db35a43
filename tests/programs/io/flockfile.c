// expect: ok
// A stream locked over several calls: the others' output waits, and nothing stands still.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int inside;

static void* print(void* argument) {
  for (int i = 0; i < 2; ++i) {
    flockfile(stdout);
    assert(atomic_fetch_add(&inside, 1) == 0);
    fputs("first half, ", stdout);
    flockfile(stdout);
    puts("second half");
    funlockfile(stdout);
    assert(atomic_fetch_sub(&inside, 1) == 1);
    funlockfile(stdout);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, print, NULL);
  printf("%s\n", "a line of its own");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
