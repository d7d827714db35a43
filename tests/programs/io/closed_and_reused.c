// expect: assertion
// A descriptor number is used after another thread closed it and something else took the number.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int log_pipe[2];
static int counter;

static void* write_log(void* argument) {
  const eventfd_t line = 7;
  if (write(log_pipe[1], &line, sizeof line) < 0) return NULL;  // too late: it is closed
  return argument;
}

static void* close_log(void* argument) {
  close(log_pipe[1]);
  counter = eventfd(0, EFD_NONBLOCK);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  if (pipe(log_pipe) != 0) return 2;
  pthread_create(&threads[0], NULL, write_log, NULL);
  pthread_create(&threads[1], NULL, close_log, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  eventfd_t value = 0;
  eventfd_read(counter, &value);
  assert(value == 0);
}
