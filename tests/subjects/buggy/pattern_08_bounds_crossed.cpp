// expect: detect none
// expect: predict atomicity pattern 8 harmful in store
// Two threads move both bounds, one of them low first and the other one high first, a critical section for
// each.
// Heddle: pattern 8, each bound is the last word of another thread.
// Passes: under the default schedule, where one follows the other.
#include <cstdio>
#include <mutex>
#include <thread>

struct Range {
  std::mutex mutex;
  int low = 0;
  int high = 0;
};

Range range;

void store(int& bound, int value) {
  std::lock_guard lock(range.mutex);
  bound = value;
}

void grow_up() {
  store(range.low, 1);
  store(range.high, 4);
}

void grow_down() {
  store(range.high, 13);
  store(range.low, 10);
}

int main() {
  std::thread up(grow_up);
  std::thread down(grow_down);
  up.join();
  down.join();
  std::printf("width %d\n", range.high - range.low);
}
