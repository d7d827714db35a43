// expect: ok
// steps: 100
// Whoever comes first fills the block, and all others pass.
#include <mutex>

#include "handover.h"

std::once_flag once;

int main() {
  const auto use = [] {
    std::call_once(once, fill);
    check();
  };
  hand_over(use, use);
}
