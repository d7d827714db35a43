// expect: ok
// detect: race
// executions: 200
// Hand-over by a condition variable; the queue and its elements.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::queue<std::unique_ptr<int>> queue;

int main() {
  std::thread other([] {
    for (int i = 0; i < 2; ++i) {
      auto value = std::make_unique<int>(i);
      *value += 1;
      std::lock_guard guard(mutex);
      queue.push(std::move(value));
      changed.notify_one();
    }
  });
  int total = 0;
  for (int i = 0; i < 2; ++i) {
    std::unique_lock guard(mutex);
    changed.wait(guard, [] { return !queue.empty(); });
    const auto value = std::move(queue.front());
    queue.pop();
    guard.unlock();
    total += *value;
  }
  other.join();
  return total - 3;
}
