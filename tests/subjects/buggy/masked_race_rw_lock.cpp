// expect: detect none
// expect: predict race harmful in append, report
// The same luck with a reader-writer lock: the length is written before an exclusive section on another
// matter and read after a shared one.
// Heddle: only prediction can find it.
// Passes: under the default schedule, in which the writer comes first.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex names_lock;
int names = 0;
int length = 0;

void append() {
  length += 12;
  std::lock_guard lock(names_lock);
  ++names;
}

int count_names() {
  std::shared_lock lock(names_lock);
  return names;
}

void report() {
  const int count = count_names();
  std::printf("%s, length %d\n", count >= 0 ? "names" : "", length);
}

int main() {
  std::thread writer(append);
  std::thread reader(report);
  writer.join();
  reader.join();
}
