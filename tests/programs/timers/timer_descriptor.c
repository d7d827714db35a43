// expect: ok
// A timerfd of an hour, and a periodic one, in virtual time; together with a pipe in poll.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void* wait_an_hour(void* argument) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const struct itimerspec hour = {.it_value = {3600, 0}};
  const time_t begin = time(NULL);
  assert(timerfd_settime(timer, 0, &hour, NULL) == 0);
  uint64_t count = 0;
  assert(read(timer, &count, sizeof count) == sizeof count && count == 1);
  assert(time(NULL) - begin >= 3600);
  close(timer);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_an_hour, NULL);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const struct itimerspec often = {.it_value = {0, 1000000}, .it_interval = {0, 1000000}};
  assert(timerfd_settime(timer, 0, &often, NULL) == 0);
  uint64_t sum = 0;
  while (sum < 3) {
    struct pollfd entry = {timer, POLLIN, 0};
    uint64_t count = 0;
    assert(poll(&entry, 1, -1) == 1);
    if (read(timer, &count, sizeof count) == sizeof count) sum += count;
  }
  const struct itimerspec never = {.it_value = {0, 0}};
  assert(timerfd_settime(timer, 0, &never, NULL) == 0);
  pthread_join(thread, NULL);
}
