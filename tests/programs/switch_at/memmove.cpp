// expect: assertion
// message: window.is_open
// A switch directly at a memmove within shared memory.
#include <string.h>

#include "window.h"

char block[128];
volatile size_t size = sizeof block;

void operate() {
  const size_t bytes = size;
  window.open();
  memmove(block, block + 8, bytes - 8);
  window.close();
}

void touch_and_look() {
  static_cast<volatile char*>(block)[100] = 1;
  look();
}

int main() {
  watch(operate, touch_and_look);
}
