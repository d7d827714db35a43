// expect: assertion
// message: window.is_open
// A switch directly at a compare-and-exchange.
#include <atomic>

#include "window.h"

std::atomic<int> word = 1;

void operate() {
  int expected = 1;
  window.open();
  word.compare_exchange_strong(expected, 2, std::memory_order_relaxed);
  window.close();
}

void touch_and_look() {
  word.store(1, std::memory_order_relaxed);
  look();
}

int main() {
  watch(operate, touch_and_look);
}
