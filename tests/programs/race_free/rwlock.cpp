// expect: ok
// detect: race
// executions: 200
// Readers and a writer.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value;

int read() {
  std::shared_lock guard(mutex);
  return value;
}

int main() {
  std::thread first([] { read(); });
  std::thread second([] { read(); });
  {
    std::unique_lock guard(mutex);
    value++;
  }
  first.join();
  second.join();
  return value - 1;
}
