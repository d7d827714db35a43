// expect: assertion
// message: window.is_open
// A switch directly at an atomic fetch_add.
#include <atomic>

#include "window.h"

std::atomic<int> word = 1;

void operate() {
  window.open();
  word.fetch_add(1, std::memory_order_relaxed);
  window.close();
}

void touch_and_look() {
  word.store(1, std::memory_order_relaxed);
  look();
}

int main() {
  watch(operate, touch_and_look);
}
