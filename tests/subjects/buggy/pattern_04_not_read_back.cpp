// expect: detect none
// expect: predict atomicity pattern 4 harmful in set_offset, read_offset
// A calibration sets an offset and reads it back later, in a critical section of its own.
// Heddle: pattern 4, a thread does not read back what it wrote.
// Passes: under the default schedule, where the reset comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int offset = 0;

void set_offset(int value) {
  std::lock_guard lock(mutex);
  offset = value;
}

int read_offset() {
  std::lock_guard lock(mutex);
  return offset;
}

void calibrate() {
  set_offset(15);
  const int used = read_offset();
  assert(used == 15);
}

void reset() {
  set_offset(0);
}

int main() {
  std::thread technician(calibrate);
  std::thread panel(reset);
  technician.join();
  panel.join();
  std::printf("%d\n", offset);
}
