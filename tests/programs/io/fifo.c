// expect: ok
// Opening a FIFO waits for the other side to open it as well.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static void* read_it(void* argument) {
  char text[3] = "";
  const int fd = open(path, O_RDONLY);
  assert(fd >= 0);
  assert(read(fd, text, 2) == 2 && text[0] == 'h' && text[1] == 'i');
  assert(read(fd, text, 2) == 0);
  close(fd);
  return argument;
}

int main(void) {
  pthread_t reader;
  char folder[] = "/tmp/heddle-fifo-XXXXXX";
  assert(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/fifo", folder);
  assert(mkfifo(path, 0600) == 0);
  pthread_create(&reader, NULL, read_it, NULL);
  const int fd = open(path, O_WRONLY);
  assert(fd >= 0);
  assert(write(fd, "hi", 2) == 2);
  close(fd);
  pthread_join(reader, NULL);
  unlink(path);
  rmdir(folder);
}
