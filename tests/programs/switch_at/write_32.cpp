// expect: assertion
// message: window.is_open
// A switch directly at a plain 32-bit write.
#include <cstdint>

#include "window.h"

volatile uint32_t shared = 0;

void operate() {
  window.open();
  shared = 1;
  window.close();
}

void touch_and_look() {
  shared = 2;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
