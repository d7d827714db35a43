// expect: predict race harmful in append, report
// The same luck with a reader-writer lock: the length is written before an exclusive section on another
// matter and read after a shared one.
// Heddle: only prediction can find it.
// Passes: under the default schedule, in which the writer comes first.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex table_lock;
int names = 0;
int limit = 100;
int length = 0;

void append() {
  length += 12;
  std::lock_guard lock(table_lock);
  ++names;
}

int read_limit() {
  std::shared_lock lock(table_lock);
  return limit;
}

void report() {
  const int largest = read_limit();
  std::printf("length %d of %d\n", length, largest);
}

int main() {
  std::thread writer(append);
  std::thread reader(report);
  writer.join();
  reader.join();
}
