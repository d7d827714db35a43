// expect: ok
// SIGPIPE goes to the thread that wrote, and the write fails.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static _Thread_local volatile sig_atomic_t came;

static void on_signal(int number) {
  assert(number == SIGPIPE);
  came = 1;
}

static void* send_it(void* argument) {
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  assert(came == 1);
  return argument;
}

int main(void) {
  pthread_t sender;
  signal(SIGPIPE, on_signal);
  assert(pipe(ends) == 0);
  close(ends[0]);
  pthread_create(&sender, NULL, send_it, NULL);
  pthread_join(sender, NULL);
  assert(came == 0);
}
