// expect: assertion
// message: count == 2
// A compare-and-exchange that fails is not tried again.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<short> count = 0;

void add() {
  short seen = count.load(std::memory_order_relaxed);
  count.compare_exchange_strong(seen, static_cast<short>(seen + 1));
}

int main() {
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(count == 2);
}
