// expect: deadlock
// executions: 1
// Reads from a pipe to which nobody is left to write. Both ends are this process's own, so it is no waiting
// for the outside.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void* receive(void* argument) {
  char letter;
  while (read(ends[0], &letter, 1) == 1) continue;
  return argument;
}

int main(void) {
  pthread_t receiver;
  if (pipe(ends) != 0) return 2;
  pthread_create(&receiver, NULL, receive, NULL);
  if (write(ends[1], "x", 1) != 1) return 2;
  pthread_join(receiver, NULL);  // the write end was never closed
}
