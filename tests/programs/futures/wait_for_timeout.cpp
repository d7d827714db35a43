// expect: assertion
// message: status == std::future_status::ready
// "One hour is enough for a task that takes a microsecond": not if it is never scheduled in that hour.
#include <cassert>
#include <chrono>
#include <future>

int main() {
  auto task = std::async(std::launch::async, [] { return 1; });
  const auto status = task.wait_for(std::chrono::hours(1));
  assert(status == std::future_status::ready);
}
