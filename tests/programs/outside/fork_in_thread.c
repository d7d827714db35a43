// expect: ok
// A thread forks: only that thread lives on in the child, whose exit code its parent collects.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* fork_child(void* argument) {
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  return argument;
}

static void* add(void* argument) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t forking;
  pthread_t adding;
  pthread_create(&forking, NULL, fork_child, NULL);
  pthread_create(&adding, NULL, add, NULL);
  pthread_join(forking, NULL);
  pthread_join(adding, NULL);
  assert(count == 1);
}
