// expect: ok
// A Unix socket with room for one in its queue, and three clients at once: connect waits for accept.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void* ask(void* argument) {
  char letter = 'x';
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(fd, (struct sockaddr*)&address, sizeof address) == 0);
  assert(write(fd, &letter, 1) == 1);
  assert(read(fd, &letter, 1) == 1 && letter == 'y');
  close(fd);
  return argument;
}

int main(void) {
  pthread_t clients[3];
  char folder[] = "/tmp/heddle-unix-XXXXXX";
  assert(mkdtemp(folder) != NULL);
  snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 && listen(listener, 0) == 0);
  for (int i = 0; i < 3; ++i) pthread_create(&clients[i], NULL, ask, NULL);
  for (int i = 0; i < 3; ++i) {
    char letter;
    const int fd = accept(listener, NULL, NULL);
    assert(fd >= 0 && read(fd, &letter, 1) == 1 && letter == 'x');
    assert(write(fd, "y", 1) == 1);
    close(fd);
  }
  for (int i = 0; i < 3; ++i) pthread_join(clients[i], NULL);
  close(listener);
  unlink(address.sun_path);
  rmdir(folder);
}
