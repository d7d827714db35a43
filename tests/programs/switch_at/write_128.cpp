// expect: assertion
// message: window.is_open
// A switch directly at a plain 16-byte write.
#include "window.h"

__extension__ typedef __int128 Wide;
volatile Wide shared = 0;

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
