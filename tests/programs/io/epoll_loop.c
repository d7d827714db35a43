// expect: ok
// An event loop: work arrives by a pipe, the order to stop by an eventfd, both watched by epoll.
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
  assert(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0);
}

static void* run_loop(void* argument) {
  for (;;) {
    struct epoll_event events[2];
    const int n = epoll_wait(loop, events, 2, -1);
    assert(n >= 1);
    int ordered_to_stop = 0;
    for (int i = 0; i < n; ++i) {
      if (events[i].data.fd == stop) {
        ordered_to_stop = 1;
        continue;
      }
      char number;
      assert(read(work[0], &number, 1) == 1);
      sum += number;
    }
    if (ordered_to_stop && sum == 3) return argument;
  }
}

int main(void) {
  pthread_t thread;
  loop = epoll_create1(0);
  stop = eventfd(0, 0);
  assert(pipe(work) == 0);
  watch(work[0]);
  watch(stop);
  pthread_create(&thread, NULL, run_loop, NULL);
  for (char i = 1; i <= 2; ++i) assert(write(work[1], &i, 1) == 1);
  const uint64_t one = 1;
  assert(write(stop, &one, sizeof one) == sizeof one);
  pthread_join(thread, NULL);
  assert(sum == 3);
}
