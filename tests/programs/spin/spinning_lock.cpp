// expect: ok
// A hand-made spin lock on atomic_flag, contended by three threads.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic_flag locked = ATOMIC_FLAG_INIT;
int count = 0;

void add() {
  while (locked.test_and_set(std::memory_order_acquire)) {
  }
  ++count;
  locked.clear(std::memory_order_release);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(add);
  for (auto& thread : threads) thread.join();
  assert(count == 3);
}
