// expect: assertion
// message: count == 2
// optimize: -O0 -O2
// Atomic load and atomic store do not make an atomic increment.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> count = 0;

void add() {
  count.store(count.load() + 1);
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(count == 2);
}
