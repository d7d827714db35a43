// expect: deadlock
// Two threads that greet each other: if both listen first, both wait for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int to_left[2];
static int to_right[2];
static atomic_int greeted;

static void* talk(int in, int out) {
  char letter = 'h';
  if (atomic_load(&greeted) == 0) {
    atomic_store(&greeted, 1);
    if (write(out, &letter, 1) != 1) return NULL;
    if (read(in, &letter, 1) != 1) return NULL;
  } else {
    if (read(in, &letter, 1) != 1) return NULL;
    if (write(out, &letter, 1) != 1) return NULL;
  }
  return NULL;
}

static void* left(void* argument) {
  talk(to_left[0], to_right[1]);
  return argument;
}
static void* right(void* argument) {
  // Believes that the other one begins.
  char letter;
  if (atomic_load(&greeted) != 0 || read(to_right[0], &letter, 1) == 1) talk(to_right[0], to_left[1]);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  if (pipe(to_left) != 0 || pipe(to_right) != 0) return 2;
  pthread_create(&threads[0], NULL, left, NULL);
  pthread_create(&threads[1], NULL, right, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
