// expect: exit-code
// A bare system call ends the process: the exit code that the parent sees is the program's.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int finished;

static void* work(void* argument) {
  finished = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  syscall(SYS_exit_group, finished ? 0 : 7);
}
