// expect: ok
// Polling by hand: a non-blocking read that finds nothing lets the others go on.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void* send_one(void* argument) {
  assert(write(ends[1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t sender;
  char letter;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  assert(read(ends[0], &letter, 1) == -1 && errno == EAGAIN);
  pthread_create(&sender, NULL, send_one, NULL);
  while (read(ends[0], &letter, 1) != 1) assert(errno == EAGAIN);
  pthread_join(sender, NULL);
}
