// expect: ok
// Relaxed stores ordered by fences: message passing, and store buffering that cannot fail for both.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data = 0;
std::atomic<bool> ready = false;
std::atomic<int> x = 0;
std::atomic<int> y = 0;

int main() {
  int seen_x = -1;
  int seen_y = -1;
  std::thread other([&] {
    data.store(42, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);

    x.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    seen_y = y.load(std::memory_order_relaxed);
  });
  if (ready.load(std::memory_order_relaxed)) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data.load(std::memory_order_relaxed) == 42);
  }
  y.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  seen_x = x.load(std::memory_order_relaxed);
  other.join();
  assert(seen_x == 1 || seen_y == 1);
}
