// expect: detect deadlock any in lookup, reload
// expect: predict deadlock harmful in lookup, reload
// A reader holds the table shared and wants the log; the writer holds the log and wants the table for itself.
// Heddle: the cycle counts although one of its edges begins at a shared lock.
// Passes: under the default schedule, where one follows the other.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex table_lock;
std::mutex log_lock;
int lookups = 0;
int version = 1;

void lookup() {
  std::shared_lock reading(table_lock);
  std::lock_guard logging(log_lock);
  lookups += version > 0;
}

void reload() {
  std::lock_guard logging(log_lock);
  std::lock_guard writing(table_lock);
  ++version;
}

int main() {
  std::thread reader(lookup);
  std::thread writer(reload);
  reader.join();
  writer.join();
  std::printf("%d %d\n", lookups, version);
}
