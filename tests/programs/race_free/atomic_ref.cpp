// expect: ok
// detect: race
// executions: 200
// atomic_ref while threads run, plain accesses before and after.
#include <atomic>
#include <thread>

int value;

int main() {
  value = 1;
  const auto work = [] { std::atomic_ref<int>(value).fetch_add(1, std::memory_order_relaxed); };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return value - 3;
}
