// expect: ok
// detect: race
// executions: 200
// A timed mutex that is got, or not.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int value;

void work() {
  for (int i = 0; i < 3; ++i) {
    if (mutex.try_lock_for(std::chrono::milliseconds(1))) {
      value++;
      mutex.unlock();
    }
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  return value > 6;
}
