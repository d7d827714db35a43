// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// A relaxed load acquires nothing.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread other([] {
    data = 1;
    ready.store(true, std::memory_order_release);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  const int seen = data;
  other.join();
  return seen - 1;
}
