// expect: ok
// Streams over a pipe between two threads: the reader waits for the first byte of each line without stopping
// the writer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void* receive(void* argument) {
  char line[32];
  FILE* stream = fdopen(ends[0], "r");
  int count = 0;
  while (fgets(line, sizeof line, stream) != NULL) {
    assert(strcmp(line, "one line\n") == 0);
    ++count;
  }
  assert(count == 3);
  fclose(stream);
  return argument;
}

int main(void) {
  pthread_t receiver;
  assert(pipe(ends) == 0);
  pthread_create(&receiver, NULL, receive, NULL);
  FILE* stream = fdopen(ends[1], "w");
  for (int i = 0; i < 3; ++i) {
    fputs("one line\n", stream);
    fflush(stream);
  }
  fclose(stream);
  pthread_join(receiver, NULL);
}
