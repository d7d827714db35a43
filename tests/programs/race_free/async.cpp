// expect: ok
// detect: race
// executions: 200
// std::async and packaged tasks.
#include <future>
#include <numeric>
#include <thread>
#include <vector>

int main() {
  std::vector<int> values(16, 1);
  auto sum =
      std::async(std::launch::async, [&values] { return std::accumulate(values.begin(), values.end(), 0); });
  std::packaged_task<int()> task([] { return 3; });
  auto three = task.get_future();
  std::thread runner(std::move(task));
  const int got = three.get();
  runner.join();
  const int total = sum.get();
  values.clear();
  return total + got - 19;
}
