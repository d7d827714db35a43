// expect: assertion
// message: window.is_open
// A switch directly at a fence.
#include <atomic>

#include "window.h"

void operate() {
  window.open();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  window.close();
}

int main() {
  watch(operate);
}
