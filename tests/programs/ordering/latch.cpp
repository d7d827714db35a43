// expect: ok
// steps: 150
// A C++20 latch.
#include <latch>

#include "handover.h"

std::latch full(1);

int main() {
  hand_over(
      [] {
        fill();
        full.count_down();
      },
      [] {
        full.wait();
        check();
      });
}
