// expect: assertion
// message: used > 0
// The consumer tests with `if`: between its wake-up and its lock another consumer takes the item.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable not_empty;
int used = 0;

void put() {
  std::lock_guard lock(mutex);
  ++used;
  not_empty.notify_one();
}

void take() {
  std::unique_lock lock(mutex);
  if (used == 0) not_empty.wait(lock);
  assert(used > 0);
  --used;
}

int main() {
  std::thread first(take);
  std::thread second(take);
  put();
  put();
  first.join();
  second.join();
}
