// expect: ok
// detect: race
// executions: 200
// Who gets the lock works, and who does not goes away.
#include <mutex>
#include <thread>

std::mutex mutex;
int value;

void work() {
  for (int i = 0; i < 3; ++i) {
    std::unique_lock guard(mutex, std::try_to_lock);
    if (guard) value++;
  }
}

int main() {
  std::thread other(work);
  work();
  other.join();
  return value > 6;
}
