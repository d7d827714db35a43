// expect: ok
// pthread_atfork handlers that hold a lock over fork, so that the child finds it free.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void lock(void) {
  pthread_mutex_lock(&mutex);
}
static void unlock(void) {
  pthread_mutex_unlock(&mutex);
}

static void* add(void* argument) {
  for (int i = 0; i < 2; ++i) {
    lock();
    ++count;
    unlock();
  }
  return argument;
}

int main(void) {
  pthread_t adder;
  assert(pthread_atfork(lock, unlock, unlock) == 0);
  pthread_create(&adder, NULL, add, NULL);
  const pid_t child = fork();
  if (child == 0) {
    lock();
    unlock();
    _exit(3);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  pthread_join(adder, NULL);
  assert(count == 2);
}
