// expect: assertion
// message: window.is_open
// A switch directly at a plain 64-bit read.
#include <cstdint>

#include "window.h"

volatile uint64_t shared = 0;

void operate() {
  window.open();
  const uint64_t seen = shared;
  window.close();
  assert(seen <= 1);
}

void touch_and_look() {
  shared = 1;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
