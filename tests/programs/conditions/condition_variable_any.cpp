// expect: ok
// A condition_variable_any on a shared_mutex: readers wait under their shared locks.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any published;
int version = 0;

void read(int& seen) {
  std::shared_lock lock(mutex);
  published.wait(lock, [] { return version > 0; });
  seen = version;
}

int main() {
  int seen[2] = {};
  std::thread first([&] { read(seen[0]); });
  std::thread second([&] { read(seen[1]); });
  {
    std::unique_lock lock(mutex);
    version = 7;
  }
  published.notify_all();
  first.join();
  second.join();
  assert(seen[0] == 7 && seen[1] == 7);
}
