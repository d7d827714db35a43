// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// Readers of a lock do not exclude each other.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value;

int main() {
  std::thread other([] {
    std::shared_lock guard(mutex);
    value++;
  });
  {
    std::shared_lock guard(mutex);
    value++;
  }
  other.join();
}
