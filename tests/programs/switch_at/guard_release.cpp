// expect: assertion
// message: window.is_open
// A switch directly at abi::__cxa_guard_release: the static is made, and nobody was told.
#include <cxxabi.h>

#include "window.h"

abi::__guard guard;

void operate() {
  abi::__cxa_guard_acquire(&guard);
  window.open();
  abi::__cxa_guard_release(&guard);
  window.close();
}

int main() {
  watch(operate);
}
