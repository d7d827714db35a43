// expect: detect race any in instance
// expect: predict race any in instance
// Double-checked locking with a plain pointer: the first look is outside of the lock.
// Heddle: a race of that look with the assignment.
// Passes: under every interleaving, since only a weaker memory shows an object that is not made yet.
#include <cstdio>
#include <mutex>
#include <thread>

struct Settings {
  int size = 64;
};

std::mutex mutex;
Settings* settings = nullptr;
int sizes[2];

Settings& instance() {
  if (settings == nullptr) {
    std::lock_guard lock(mutex);
    if (settings == nullptr) settings = new Settings;
  }
  return *settings;
}

int main() {
  std::thread first([] { sizes[0] = instance().size; });
  std::thread second([] { sizes[1] = instance().size; });
  first.join();
  second.join();
  std::printf("%d %d\n", sizes[0], sizes[1]);
  delete settings;
}
