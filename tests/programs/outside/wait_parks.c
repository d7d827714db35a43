// expect: ok
// A thread waits for a child that waits for another thread of this process.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void* run_child(void* argument) {
  const pid_t child = fork();
  if (child == 0) {
    char code = 0;
    _exit(read(ends[0], &code, 1) == 1 ? code : 1);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  return argument;
}

int main(void) {
  pthread_t thread;
  const char code = 5;
  assert(pipe(ends) == 0);
  pthread_create(&thread, NULL, run_child, NULL);
  assert(write(ends[1], &code, 1) == 1);
  pthread_join(thread, NULL);
}
