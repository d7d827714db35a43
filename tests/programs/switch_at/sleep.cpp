// expect: assertion
// message: window.is_open
// A switch directly at a sleep.
#include <unistd.h>

#include "window.h"

void operate() {
  window.open();
  usleep(1000);
  window.close();
}

int main() {
  watch(operate);
}
