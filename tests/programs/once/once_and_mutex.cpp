// expect: deadlock
// The once routine takes a mutex; another thread holds that mutex and waits for the once.
#include <atomic>
#include <mutex>
#include <thread>

std::once_flag once;
std::mutex mutex;
std::atomic<bool> started = false;

void initialise() {
  started.store(true);
  std::lock_guard lock(mutex);
}

int main() {
  std::thread first([] { std::call_once(once, initialise); });
  std::thread second([] {
    std::lock_guard lock(mutex);
    if (started.load()) std::call_once(once, initialise);
  });
  first.join();
  second.join();
}
