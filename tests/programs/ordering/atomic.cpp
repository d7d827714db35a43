// expect: ok
// steps: 100
// A release store that an acquire load reads.
#include <atomic>

#include "handover.h"

std::atomic<bool> full;

int main() {
  hand_over(
      [] {
        fill();
        full.store(true, std::memory_order_release);
      },
      [] {
        if (full.load(std::memory_order_acquire)) check();
      });
}
