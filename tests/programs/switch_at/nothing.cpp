// expect: ok
// The control: the window opens and closes with nothing in between, so no schedule can show it open.
#include "window.h"

void operate() {
  window.open();
  window.close();
}

int main() {
  watch(operate);
}
