// expect: detect none
// expect: predict atomicity pattern 2 harmful in read_level, set_level
// A status line reads the same level twice, with the lock released in between, and relies on them to agree.
// Heddle: pattern 2, two reads that disagree.
// Passes: under the default schedule, where the level changes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int level = 3;

int read_level() {
  std::lock_guard lock(mutex);
  return level;
}

void print_twice() {
  const int shown = read_level();
  const int logged = read_level();
  assert(shown == logged);
}

void set_level() {
  std::lock_guard lock(mutex);
  level = 8;
}

int main() {
  std::thread reader(print_twice);
  std::thread writer(set_level);
  reader.join();
  writer.join();
  std::printf("%d\n", level);
}
