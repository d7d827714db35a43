// expect: detect none
// expect: predict atomicity pattern 7 harmful in set_upwards, set_downwards
// One thread sets low and then high, another one both at once, high before low; the first lets go in between.
// Heddle: pattern 7, the range is left with the bounds of different threads.
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

void set_upwards(int low, int high) {
  {
    std::lock_guard lock(range.mutex);
    range.low = low;
  }
  std::lock_guard lock(range.mutex);
  range.high = high;
}

void set_downwards(int low, int high) {
  std::lock_guard lock(range.mutex);
  range.high = high;
  range.low = low;
}

int main() {
  std::thread up(set_upwards, 1, 4);
  std::thread down(set_downwards, 10, 13);
  up.join();
  down.join();
  std::printf("width %d\n", range.high - range.low);
}
