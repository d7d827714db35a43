// expect: assertion
// message: window.is_open
// A switch directly at std::atomic::wait for a value that has changed already.
#include <atomic>

#include "window.h"

std::atomic<int> word = 1;

void operate() {
  window.open();
  word.wait(0);
  window.close();
}

void touch_and_look() {
  word.store(1, std::memory_order_relaxed);
  look();
}

int main() {
  watch(operate, touch_and_look);
}
