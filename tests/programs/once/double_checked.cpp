// expect: ok
// Double-checked locking as it is right: the pointer is atomic and stored last.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int port = 0;
};
std::mutex mutex;
std::atomic<Settings*> instance = nullptr;
std::atomic<int> made = 0;

Settings* settings() {
  Settings* current = instance.load(std::memory_order_acquire);
  if (current) return current;
  std::lock_guard lock(mutex);
  current = instance.load(std::memory_order_relaxed);
  if (!current) {
    current = new Settings;
    current->port = 80;
    made.fetch_add(1);
    instance.store(current, std::memory_order_release);
  }
  return current;
}

int main() {
  auto use = [] { assert(settings()->port == 80); };
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  assert(made == 1);
  delete settings();
}
