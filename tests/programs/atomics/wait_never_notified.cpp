// expect: lost-wakeup
// The waiters are told before the value is stored, not after: a waiter that falls asleep in between sleeps
// on. The work gives it the time that it needs for that: libstdc++ polls 16 times first.
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<int> stage = 0;

void work() {
  std::mutex mutex;
  for (int i = 0; i < 30; ++i) std::lock_guard lock(mutex);
}

int main() {
  std::thread waiter([] { stage.wait(0); });
  stage.notify_one();
  work();
  stage.store(1);
  waiter.join();
}
