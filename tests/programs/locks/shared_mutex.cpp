// expect: ok
// Readers under a shared lock see both halves of what a writer wrote.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  int low = 0;
  int high = 0;
  auto read = [&] {
    for (int i = 0; i < 2; ++i) {
      std::shared_lock lock(mutex);
      assert(low + high == 0);
    }
  };
  std::thread first(read);
  std::thread second(read);
  for (int i = 1; i <= 2; ++i) {
    std::unique_lock lock(mutex);
    low = -i;
    high = i;
  }
  first.join();
  second.join();
}
