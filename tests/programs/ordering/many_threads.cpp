// expect: ok
// executions: 30
// steps: 4500
// The slots of threads that have been joined are used again: many more threads than there are slots.
#include "handover.h"

int main() {
  for (int round = 0; round < 700; ++round) {
    std::thread one([] { block[0]++; });
    one.join();
  }
  hand_over([] {}, [] {});
  if (block[0] != 700) __builtin_abort();
}
