// expect: assertion
// message: window.is_open
// A switch directly at sem_timedwait with a permit left.
#include <semaphore.h>
#include <time.h>

#include "window.h"

sem_t semaphore;

timespec in_a_minute() {
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 60;
  return deadline;
}

void operate() {
  const timespec deadline = in_a_minute();
  window.open();
  sem_timedwait(&semaphore, &deadline);
  window.close();
}

int main() {
  sem_init(&semaphore, 0, 1);
  watch(operate);
}
