// expect: ok
// std::async, eager and deferred, a shared_future for two readers, and an exception that travels to get().
#include <cassert>
#include <future>
#include <numeric>
#include <stdexcept>
#include <vector>

int sum(const std::vector<int>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0);
}

int main() {
  const std::vector<int> numbers = {1, 2, 3, 4};
  auto eager = std::async(std::launch::async, sum, std::cref(numbers));
  auto lazy = std::async(std::launch::deferred, sum, std::cref(numbers));
  auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no sum"); });
  std::shared_future<int> shared = eager.share();
  auto reader = std::async(std::launch::async, [shared] { return shared.get(); });
  assert(shared.get() == 10);
  assert(reader.get() == 10);
  assert(lazy.get() == 10);
  bool caught = false;
  try {
    failing.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);
}
