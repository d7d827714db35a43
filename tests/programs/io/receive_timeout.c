// expect: ok
// SO_RCVTIMEO ends a receive in virtual time; a poll of an hour takes none either.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void* wait_for_data(void* argument) {
  char letter;
  const struct timeval hour = {3600, 0};
  assert(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &hour, sizeof hour) == 0);
  const time_t begin = time(NULL);
  assert(recv(ends[0], &letter, 1, 0) == -1 && errno == EAGAIN);
  assert(time(NULL) - begin >= 3600);
  return argument;
}

int main(void) {
  pthread_t thread;
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&thread, NULL, wait_for_data, NULL);
  pthread_join(thread, NULL);
}
