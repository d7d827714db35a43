// expect: deadlock
// The initialiser of a static takes the registry's mutex; the registry uses the static under its mutex.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex registry_mutex;
std::atomic<bool> loading = false;

struct Plugin {
  int id;
  Plugin() {
    loading.store(true);
    std::lock_guard lock(registry_mutex);
    id = 1;
  }
};

int plugin_id() {
  static Plugin instance;
  return instance.id;
}

int main() {
  std::thread user([] { plugin_id(); });
  std::thread lister([] {
    std::lock_guard lock(registry_mutex);
    if (loading.load()) plugin_id();
  });
  user.join();
  lister.join();
}
