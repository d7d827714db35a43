// expect: assertion
// message: window.is_open
// A switch directly at sched_yield.
#include <sched.h>

#include "window.h"

void operate() {
  window.open();
  sched_yield();
  window.close();
}

int main() {
  watch(operate);
}
