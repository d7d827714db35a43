// expect: ok
// poll and select over several pipes: ready ones are found, timeouts go with virtual time.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static int pipes[2][2];

static void* send_both(void* argument) {
  for (int i = 0; i < 2; ++i) assert(write(pipes[i][1], "x", 1) == 1);
  return argument;
}

int main(void) {
  pthread_t sender;
  char letter;
  for (int i = 0; i < 2; ++i) assert(pipe(pipes[i]) == 0);
  struct pollfd entries[2] = {{pipes[0][0], POLLIN, 0}, {pipes[1][0], POLLIN, 0}};
  assert(poll(entries, 2, 3600 * 1000) == 0);
  pthread_create(&sender, NULL, send_both, NULL);
  assert(poll(entries, 2, -1) >= 1);
  assert((entries[0].revents & POLLIN) != 0);
  assert(read(pipes[0][0], &letter, 1) == 1);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(pipes[0][0], &set);
  FD_SET(pipes[1][0], &set);
  assert(select(pipes[1][0] + 1, &set, NULL, NULL, NULL) == 1);
  assert(!FD_ISSET(pipes[0][0], &set) && FD_ISSET(pipes[1][0], &set));
  assert(read(pipes[1][0], &letter, 1) == 1);
  FD_ZERO(&set);
  FD_SET(pipes[1][0], &set);
  struct timeval time = {3600, 0};
  assert(select(pipes[1][0] + 1, &set, NULL, NULL, &time) == 0);
  pthread_join(sender, NULL);
}
