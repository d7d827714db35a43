// expect: detect none
// expect: predict atomicity pattern 14 harmful in locked_read, locked_write
// A switch-over sets the old line off and then the new one on; a monitor looks at the new line first and then
// at the old one, a critical section for each access.
// Heddle: pattern 14, the monitor sees both lines off.
// Passes: under the default schedule, where the monitor comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Lines {
  std::mutex mutex;
  bool old_on = true;
  bool new_on = false;
};

Lines lines;

bool locked_read(bool& line) {
  std::lock_guard lock(lines.mutex);
  return line;
}

void locked_write(bool& line, bool on) {
  std::lock_guard lock(lines.mutex);
  line = on;
}

void switch_over() {
  locked_write(lines.old_on, false);
  locked_write(lines.new_on, true);
}

void monitor() {
  const bool new_on = locked_read(lines.new_on);
  const bool old_on = locked_read(lines.old_on);
  assert(new_on || old_on);
}

int main() {
  std::thread operator_thread(switch_over);
  std::thread monitor_thread(monitor);
  operator_thread.join();
  monitor_thread.join();
  std::printf("%d %d\n", lines.old_on, lines.new_on);
}
