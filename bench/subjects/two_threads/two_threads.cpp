// The smallest useful concurrent test: two threads add to a total under a lock. Where starting an execution
// costs more than running it, this is what shows.
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  int total = 0;
  auto add = [&] {
    for (int i = 0; i < 10; ++i) {
      std::lock_guard lock(mutex);
      total += i;
    }
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  return total == 90 ? 0 : 1;
}
