// expect: ok
// detect: race
// executions: 200
// A lock made of an atomic flag.
#include <atomic>
#include <thread>

std::atomic_flag flag;
int value;

void work() {
  for (int i = 0; i < 2; ++i) {
    while (flag.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    value++;
    flag.clear(std::memory_order_release);
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  return value - 4;
}
