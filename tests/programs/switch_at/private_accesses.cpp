// expect: ok
// The second control: calls, and accesses to memory that only one thread touches, are no scheduling
// points.
#include <cstdlib>

#include "window.h"

__attribute__((noinline)) void count_up(volatile int* counter) {
  *counter = *counter + 1;
}

void operate() {
  volatile int on_stack = 0;
  auto* on_heap = static_cast<volatile int*>(std::malloc(sizeof(int)));
  *on_heap = 0;
  window.open();
  for (int i = 0; i < 3; ++i) {
    count_up(&on_stack);
    count_up(on_heap);
  }
  window.close();
  std::free(const_cast<int*>(on_heap));
}

int main() {
  watch(operate);
}
