// expect: lost-wakeup
// The same with a waiter that checks the version before it locks.
#include <atomic>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any published;
std::atomic<int> version = 0;

int main() {
  std::thread reader([] {
    if (version.load() > 0) return;
    std::shared_lock lock(mutex);
    published.wait(lock);
  });
  version.store(1);
  published.notify_all();
  reader.join();
}
