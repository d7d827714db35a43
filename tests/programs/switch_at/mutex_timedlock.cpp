// expect: assertion
// message: window.is_open
// A switch directly at pthread_mutex_timedlock of a free mutex.
#include <time.h>

#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

timespec in_a_minute() {
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  return deadline;
}

void operate() {
  const timespec deadline = in_a_minute();
  window.open();
  pthread_mutex_timedlock(&mutex, &deadline);
  window.close();
  pthread_mutex_unlock(&mutex);
}

int main() {
  watch(operate);
}
