// Tasks run by a worker; their results, and the exception of one of them, come back through futures.
// Alarms: result and exception are stored by the worker and freed by the caller.
// Right: the shared state of a future becomes ready once, and get() acquires what made it so.
#include <cstdio>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

int half(int number) {
  if (number % 2 != 0) throw std::invalid_argument("odd");
  return number / 2;
}

int main() {
  std::vector<std::packaged_task<int(int)>> tasks;
  std::vector<std::future<int>> results;
  for (int i = 0; i < 2; ++i) {
    tasks.emplace_back(half);
    results.push_back(tasks.back().get_future());
  }
  std::thread worker([tasks = std::move(tasks)]() mutable {
    for (int i = 0; i < 2; ++i) tasks[i](7 + i);
  });
  for (std::future<int>& result : results) {
    try {
      std::printf("%d\n", result.get());
    } catch (const std::invalid_argument& error) {
      std::printf("%s\n", error.what());
    }
  }
  worker.join();
}
