// expect: ok
// detect: race
// executions: 200
// An update by another thread continues the release sequence.
#include <atomic>
#include <thread>

int data;
std::atomic<int> stage;

int main() {
  std::thread first([] {
    data = 1;
    stage.store(1, std::memory_order_release);
  });
  std::thread second([] {
    while (stage.load(std::memory_order_relaxed) != 1) std::this_thread::yield();
    stage.fetch_add(1, std::memory_order_relaxed);
  });
  while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
  data = 2;
  first.join();
  second.join();
}
