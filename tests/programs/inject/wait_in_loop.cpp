// expect: ok
// inject: wakeups:2
// executions: 300
// The same with a predicate stands any number of spurious wake-ups.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
int messages = 0;

int main() {
  auto receive = [] {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [] { return messages > 0; });
    --messages;
  };
  std::thread first(receive);
  std::thread second(receive);
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(mutex);
    ++messages;
    arrived.notify_one();
  }
  first.join();
  second.join();
  assert(messages == 0);
}
