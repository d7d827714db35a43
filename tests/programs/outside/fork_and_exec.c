// expect: ok
// A thread forks and the child executes another program, while other threads hold locks and talk by a pipe.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];

static void* run_program(void* argument) {
  const pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", "-c", "exit 4", NULL);
    _exit(1);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 4);
  return argument;
}

static void* send_one(void* argument) {
  pthread_mutex_lock(&mutex);
  assert(write(ends[1], "x", 1) == 1);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  char letter;
  assert(pipe(ends) == 0);
  pthread_create(&threads[0], NULL, run_program, NULL);
  pthread_create(&threads[1], NULL, send_one, NULL);
  assert(read(ends[0], &letter, 1) == 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
