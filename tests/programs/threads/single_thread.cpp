// expect: ok
// A program that never creates a thread runs as usual: locks, heap, clock and all.
#include <cassert>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<std::unique_ptr<int>> numbers;
  for (int i = 1; i <= 10; ++i) {
    std::lock_guard lock(mutex);
    numbers.push_back(std::make_unique<int>(i));
  }
  const auto before = std::chrono::steady_clock::now();
  const int sum = std::accumulate(numbers.begin(), numbers.end(), 0,
                                  [](int total, const auto& number) { return total + *number; });
  assert(sum == 55);
  assert(std::chrono::steady_clock::now() >= before);
}
