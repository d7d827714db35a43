// expect: ok
// sendfile and splice move data between a file, a pipe and a socket while another thread takes it out.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kSize = 300 * 1000 };
static int sockets[2];

static void* drain(void* argument) {
  static char data[8192];
  size_t total = 0;
  ssize_t n;
  while ((n = recv(sockets[1], data, sizeof data, 0)) > 0) total += (size_t)n;
  assert(total == kSize + 5);
  return argument;
}

int main(void) {
  pthread_t drainer;
  char path[] = "/tmp/heddle-copies-XXXXXX";
  int ends[2];
  off_t offset = 0;
  const int file = mkstemp(path);
  unlink(path);
  assert(ftruncate(file, kSize) == 0);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe(ends) == 0);
  pthread_create(&drainer, NULL, drain, NULL);
  while (offset < kSize) assert(sendfile(sockets[0], file, &offset, (size_t)(kSize - offset)) > 0);
  assert(write(ends[1], "hello", 5) == 5);
  assert(splice(ends[0], NULL, sockets[0], NULL, 5, 0) == 5);
  close(sockets[0]);
  pthread_join(drainer, NULL);
}
