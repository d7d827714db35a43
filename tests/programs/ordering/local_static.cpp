// expect: ok
// steps: 100
// The guard of a function-local static.
#include "handover.h"

bool filled() {
  static const bool done = (fill(), true);
  return done;
}

int main() {
  const auto use = [] {
    if (filled()) check();
  };
  hand_over(use, use);
}
