// expect: assertion
// message: port == 80
// Double-checked locking that publishes the object before it is filled in.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  std::atomic<int> port = 0;
};
std::mutex mutex;
std::atomic<Settings*> instance = nullptr;

Settings* settings() {
  if (instance.load()) return instance.load();
  std::lock_guard lock(mutex);
  if (!instance.load()) {
    instance.store(new Settings);
    instance.load()->port = 80;
  }
  return instance.load();
}

int main() {
  auto use = [] { assert(settings()->port == 80); };
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
}
