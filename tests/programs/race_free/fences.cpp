// expect: ok
// detect: race
// executions: 200
// Publication by fences around relaxed accesses.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread other([] {
    data = 1;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  const int seen = data;
  other.join();
  return seen - 1;
}
