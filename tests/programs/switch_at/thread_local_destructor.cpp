// expect: assertion
// message: window.is_open
// A switch at an access in the destructor of a thread_local.
#include <atomic>

#include "window.h"

std::atomic<int> word = 0;

struct Local {
  int used = 0;
  ~Local() {
    window.open();
    word.store(1, std::memory_order_relaxed);
    window.close();
  }
};
thread_local Local local;

void operate() {
  local.used = 1;
}

void touch_and_look() {
  word.store(2, std::memory_order_relaxed);
  look();
}

int main() {
  watch(operate, touch_and_look);
}
