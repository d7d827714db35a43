// expect: race
// message: data race
// detect: race
// executions: 50
// A relaxed store of another thread ends the release sequence.
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
    stage.store(2, std::memory_order_relaxed);
  });
  while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
  data = 2;
  first.join();
  second.join();
}
