// expect: ok
// flock and open-file record locks exclude threads that opened the file separately.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char path[] = "/tmp/heddle-locks-XXXXXX";
static atomic_int inside[2];

static void enter_and_leave(int kind) {
  assert(atomic_fetch_add(&inside[kind], 1) == 0);
  assert(atomic_fetch_sub(&inside[kind], 1) == 1);
}

static void* work(void* argument) {
  const int fd = open(path, O_RDWR);
  assert(fd >= 0);
  assert(flock(fd, LOCK_EX) == 0);
  enter_and_leave(0);
  assert(flock(fd, LOCK_UN) == 0);
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  assert(fcntl(fd, F_OFD_SETLKW, &lock) == 0);
  enter_and_leave(1);
  close(fd);  // releases it
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(close(mkstemp(path)) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  unlink(path);
}
