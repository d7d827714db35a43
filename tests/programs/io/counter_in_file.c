// expect: assertion
// Two threads add to a number that is kept in a file: one addition is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void* add(void* argument) {
  int number = 0;
  if (pread(file, &number, sizeof number, 0) != sizeof number) return NULL;
  ++number;
  if (pwrite(file, &number, sizeof number, 0) != sizeof number) return NULL;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  char path[] = "/tmp/heddle-counter-XXXXXX";
  int number = 0;
  file = mkstemp(path);
  unlink(path);
  if (pwrite(file, &number, sizeof number, 0) != sizeof number) return 2;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  if (pread(file, &number, sizeof number, 0) != sizeof number) return 2;
  assert(number == 2);
}
