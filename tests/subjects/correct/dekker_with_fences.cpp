// Two threads that enter only if the other has not announced itself: relaxed stores and a full fence.
// Alarms: what keeps them apart is a sequentially consistent fence between a store and a load.
// Right: at most one of them reads that the other is away; after the other has left, that was released.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> announced[2];
int shared_total = 0;

bool try_enter(int self) {
  announced[self].store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (announced[1 - self].load(std::memory_order_acquire) == 0) return true;
  announced[self].store(0, std::memory_order_release);
  return false;
}

void add(int self, int amount) {
  while (!try_enter(self)) std::this_thread::yield();
  shared_total += amount;
  announced[self].store(0, std::memory_order_release);
}

int main() {
  std::thread one(add, 0, 30);
  std::thread two(add, 1, 12);
  one.join();
  two.join();
  std::printf("%d\n", shared_total);
}
