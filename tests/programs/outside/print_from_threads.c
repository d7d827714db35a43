// expect: ok
// Threads that print at the same time: stdio's own locks are no business of the program.
#include <pthread.h>
#include <stdio.h>

static void* print(void* argument) {
  const int* number = argument;
  for (int i = 0; i < 3; ++i) printf("thread %d, line %d\n", *number, i);
  fflush(stdout);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, print, &numbers[i]);
  fprintf(stderr, "main prints as well\n");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
