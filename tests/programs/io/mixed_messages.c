// expect: assertion
// A message in two writes: another thread's message can come in between.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void* send_message(void* argument) {
  const char* name = argument;
  if (write(ends[1], name, 1) != 1) return NULL;
  if (write(ends[1], name, 1) != 1) return NULL;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  char text[4];
  if (pipe(ends) != 0) return 2;
  pthread_create(&threads[0], NULL, send_message, "a");
  pthread_create(&threads[1], NULL, send_message, "b");
  for (int i = 0; i < 4; ++i) {
    if (read(ends[0], &text[i], 1) != 1) return 2;
  }
  assert(text[0] == text[1]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
