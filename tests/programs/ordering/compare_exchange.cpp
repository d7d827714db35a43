// expect: ok
// steps: 100
// A claim by compare-exchange, and the release of it.
#include <atomic>

#include "handover.h"

std::atomic<int> state;

int main() {
  const auto use = [] {
    int free = 0;
    if (!state.compare_exchange_strong(free, 1)) return;
    fill();
    check();
    state.store(0);
  };
  hand_over(use, use);
}
