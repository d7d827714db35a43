// expect: assertion
// The loop obeys the order to stop before it has looked for work that came earlier.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int loop;
static int work[2];
static int stop;
static int sum;

static void watch(int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) != 0) _exit(2);
}

static void* run_loop(void* argument) {
  for (;;) {
    struct epoll_event event;
    if (epoll_wait(loop, &event, 1, -1) != 1) return NULL;
    if (event.data.fd == stop) return argument;
    char number;
    if (read(work[0], &number, 1) != 1) return NULL;
    sum += number;
  }
}

static void* send_work(void* argument) {
  const char number = 1;
  if (write(work[1], &number, 1) != 1) return NULL;
  return argument;
}

int main(void) {
  pthread_t threads[2];
  loop = epoll_create1(0);
  stop = eventfd(0, 0);
  if (pipe(work) != 0) return 2;
  watch(work[0]);
  watch(stop);
  pthread_create(&threads[0], NULL, run_loop, NULL);
  pthread_create(&threads[1], NULL, send_work, NULL);
  eventfd_write(stop, 1);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sum == 1);
}
