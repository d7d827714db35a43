// expect: assertion
// A race that is ordered by chance whenever the first thread is the first at the mutex.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int value;
int unrelated;

int main() {
  std::thread first([] {
    value++;
    std::lock_guard guard(mutex);
    unrelated++;
  });
  std::thread second([] {
    std::unique_lock guard(mutex);
    unrelated++;
    guard.unlock();
    value++;
  });
  first.join();
  second.join();
  assert(value == 2);
}
