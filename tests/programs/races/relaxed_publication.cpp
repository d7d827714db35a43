// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// A relaxed store publishes nothing, whatever the order of execution.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread other([] {
    data = 1;
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
  const int seen = data;
  other.join();
  return seen - 1;
}
