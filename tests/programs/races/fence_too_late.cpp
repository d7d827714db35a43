// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// The fence comes after the store that should publish.
#include <atomic>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread other([] {
    data = 1;
    ready.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  const int seen = data;
  other.join();
  return seen - 1;
}
