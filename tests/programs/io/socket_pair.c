// expect: ok
// Request and answer over a socket pair, with recv, send, MSG_WAITALL, sendmsg and an end of file by
// shutdown.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* serve(void* argument) {
  char text[8];
  while (recv(ends[1], text, 4, MSG_WAITALL) == 4) {
    struct iovec parts[2] = {{text + 2, 2}, {text, 2}};
    struct msghdr answer = {.msg_iov = parts, .msg_iovlen = 2};
    assert(sendmsg(ends[1], &answer, 0) == 4);
  }
  close(ends[1]);
  return argument;
}

int main(void) {
  pthread_t server;
  char answer[4];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&server, NULL, serve, NULL);
  for (int i = 0; i < 2; ++i) {
    assert(send(ends[0], "ab", 2, 0) == 2);
    assert(write(ends[0], "cd", 2) == 2);
    assert(recv(ends[0], answer, 4, MSG_WAITALL) == 4);
    assert(memcmp(answer, "cdab", 4) == 0);
  }
  assert(shutdown(ends[0], SHUT_WR) == 0);
  assert(read(ends[0], answer, 1) == 0);
  pthread_join(server, NULL);
}
