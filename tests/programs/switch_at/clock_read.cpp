// expect: assertion
// message: window.is_open
// A switch directly at clock_gettime: what time it is depends on who slept before.
#include <time.h>

#include "window.h"

void operate() {
  timespec now;
  window.open();
  clock_gettime(CLOCK_MONOTONIC, &now);
  window.close();
}

int main() {
  watch(operate);
}
