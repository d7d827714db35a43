// expect: ok
// The clock never runs backwards, not for one thread and not from one thread to another.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
std::chrono::steady_clock::time_point latest;

void look_at_clock() {
  std::lock_guard lock(mutex);
  const auto now = std::chrono::steady_clock::now();
  assert(now >= latest);
  latest = now;
}

int main() {
  auto work = [](int milliseconds) {
    look_at_clock();
    const auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    assert(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(milliseconds));
    look_at_clock();
  };
  std::thread first(work, 10);
  std::thread second(work, 5);
  work(1);
  first.join();
  second.join();
}
