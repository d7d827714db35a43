// expect: assertion
// message: window.is_open
// A switch directly at a plain 16-byte read.
#include "window.h"

__extension__ typedef __int128 Wide;
volatile Wide shared = 0;

void operate() {
  window.open();
  const Wide seen = shared;
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
