// expect: assertion
// message: window.is_open
// A switch directly at a memcpy out of shared memory. The size is not known to the compiler: a call.
#include <string.h>

#include "window.h"

char block[128];
volatile size_t size = sizeof block;

void operate() {
  char copy[128];
  const size_t bytes = size;
  window.open();
  memcpy(copy, block, bytes);
  window.close();
  assert(copy[100] < 2);
}

void touch_and_look() {
  static_cast<volatile char*>(block)[100] = 1;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
