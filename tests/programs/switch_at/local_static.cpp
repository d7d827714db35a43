// expect: assertion
// message: window.is_open
// A switch at the end of the initialisation of a function-local static: made, but not yet free for others.
#include "window.h"

struct Instance {
  int value;
  Instance() : value(1) { window.open(); }
};

void operate() {
  static const Instance instance;
  window.close();
  assert(instance.value == 1);
}

int main() {
  watch(operate);
}
