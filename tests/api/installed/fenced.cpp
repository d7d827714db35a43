// Succeeds if it runs under heddle's runtime, where every order of two fenced stores and loads is explored.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  const heddle::Result result = heddle::explore([] {
    std::atomic<int> left{0}, right{0};
    int seen = 0;
    std::thread other([&] {
      left.store(1, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      seen = right.load(std::memory_order_relaxed);
    });
    right.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const int seen_here = left.load(std::memory_order_relaxed);
    other.join();
    assert(seen + seen_here > 0);
  });
  return result.controlled && result.kind.empty() ? 0 : 1;
}
