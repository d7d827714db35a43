// expect: assertion
// message: total == 3
// The side effect that the waiter relies on comes after set_value.
#include <atomic>
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::atomic<int> total = 0;
  std::promise<void> done;
  auto finished = done.get_future();
  std::jthread worker([&] {
    done.set_value();
    total.fetch_add(3);
  });
  finished.get();
  assert(total == 3);
}
