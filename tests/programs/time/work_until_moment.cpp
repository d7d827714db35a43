// expect: ok
// executions: 3
// steps: 200000
// A loop that works until a moment comes, and looks at the clock in each round, comes to its end although its
// work takes many steps.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int rounds = 0;

void work_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < 6; ++i) {
      std::lock_guard lock(mutex);
      ++rounds;
    }
  }
}

int main() {
  std::thread other([] { work_for(std::chrono::milliseconds(100)); });
  work_for(std::chrono::seconds(1));
  other.join();
}
