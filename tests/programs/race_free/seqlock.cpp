// expect: ok
// detect: race
// executions: 200
// A sequence lock with atomic data.
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
std::atomic<int> a;
std::atomic<int> b;

int main() {
  std::thread other([] {
    sequence.fetch_add(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a.store(1, std::memory_order_relaxed);
    b.store(1, std::memory_order_relaxed);
    sequence.fetch_add(1, std::memory_order_release);
  });
  int x;
  int y;
  for (;;) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    x = a.load(std::memory_order_relaxed);
    y = b.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before) break;
    std::this_thread::yield();
  }
  other.join();
  return x - y;
}
