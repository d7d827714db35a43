// expect: ok
// executions: 20
// A child process waits for input that only its own handler will write, when the parent sends it a signal:
// that is no standstill.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static int own_pipe[2];

static void handle(int number) {
  (void)number;
  assert(write(own_pipe[1], "s", 1) == 1);
}

static void* run(void* argument) {
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  int ready[2];
  assert(pipe(ready) == 0);
  const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  const pid_t child = fork();
  char letter;
  if (child == 0) {
    assert(pipe(own_pipe) == 0);
    assert(write(ready[1], "r", 1) == 1);
    assert(read(own_pipe[0], &letter, 1) == 1 && letter == 's');
    _exit(0);
  }
  assert(read(ready[0], &letter, 1) == 1);
  assert(kill(child, SIGUSR1) == 0);
  int status;
  assert(waitpid(child, &status, 0) == child && status == 0);
  pthread_join(thread, NULL);
}
