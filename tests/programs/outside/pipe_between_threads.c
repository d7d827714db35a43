// expect: ok
// A thread blocked in read() waits for another thread of the same process: it must not hold up the others.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int pipe_ends[2];

static void* receive(void* argument) {
  char letter = 0;
  assert(read(pipe_ends[0], &letter, 1) == 1);
  assert(letter == 'h');
  return argument;
}

int main(void) {
  pthread_t receiver;
  assert(pipe(pipe_ends) == 0);
  pthread_create(&receiver, NULL, receive, NULL);
  assert(write(pipe_ends[1], "h", 1) == 1);
  pthread_join(receiver, NULL);
}
