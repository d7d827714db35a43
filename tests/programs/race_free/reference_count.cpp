// expect: ok
// detect: race
// executions: 200
// The last one to let go destroys: a relaxed increment, a decrement that releases, a fence.
#include <atomic>
#include <thread>

struct Shared {
  std::atomic<int> count{2};
  int value = 0;
};

void let_go(Shared* shared) {
  if (shared->count.fetch_sub(1, std::memory_order_release) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    shared->value = -1;
    delete shared;
  }
}

int main() {
  auto* shared = new Shared;
  std::thread other([shared] {
    shared->count.fetch_add(1, std::memory_order_relaxed);
    let_go(shared);
    let_go(shared);
  });
  let_go(shared);
  other.join();
}
