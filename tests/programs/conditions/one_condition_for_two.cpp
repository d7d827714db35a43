// expect: lost-wakeup
// Producers and consumers of a one-slot buffer wait on one condition: notify_one can wake one of one's own.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool full = false;

void put() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return !full; });
  full = true;
  changed.notify_one();
}

void take() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return full; });
  full = false;
  changed.notify_one();
}

int main() {
  std::thread first(take);
  std::thread second(take);
  put();
  put();
  first.join();
  second.join();
}
