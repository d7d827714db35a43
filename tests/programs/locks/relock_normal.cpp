// expect: deadlock
// The slow path takes the cache's mutex again: only a reader that comes before the writer meets itself.
#include <mutex>
#include <thread>

std::mutex mutex;
int cached = 0;

void fill_cache() {
  std::lock_guard lock(mutex);
  cached = 1;
}

void read_cache() {
  std::lock_guard lock(mutex);
  if (cached == 0) fill_cache();
}

int main() {
  std::thread writer(fill_cache);
  std::thread reader(read_cache);
  writer.join();
  reader.join();
}
