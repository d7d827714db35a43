// expect: ok
// steps: 150
// A promise.
#include <future>

#include "handover.h"

std::promise<void> full;

int main() {
  hand_over(
      [] {
        fill();
        full.set_value();
      },
      [] {
        full.get_future().wait();
        check();
      });
}
