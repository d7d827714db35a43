// expect: assertion
// message: total == 6
// executions: 200
// C++20 coroutines that two threads resume: the update of `total` in their bodies is not atomic.
#include <cassert>
#include <coroutine>
#include <thread>

namespace {

int total = 0;

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

Task count(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    ++total;
    co_await std::suspend_always{};
  }
}

void drive(Task task) {
  while (!task.handle.done()) task.handle.resume();
  task.handle.destroy();
}

}  // namespace

int main() {
  std::thread thread([] { drive(count(3)); });
  drive(count(3));
  thread.join();
  assert(total == 6);
}
