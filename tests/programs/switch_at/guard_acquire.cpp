// expect: assertion
// message: window.is_open
// A switch directly at abi::__cxa_guard_acquire, which function-local statics call. It is called by hand
// because the compiler puts a check of the guard, an atomic load, before it.
#include <cxxabi.h>

#include "window.h"

abi::__guard guard;

void operate() {
  window.open();
  abi::__cxa_guard_acquire(&guard);
  window.close();
  abi::__cxa_guard_release(&guard);
}

int main() {
  watch(operate);
}
