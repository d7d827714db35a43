// expect: detect none
// expect: predict atomicity pattern 11 harmful in Range::low, Range::shift
// The bounds are read by two getters that lock for themselves; the writer moves both in one critical section.
// Heddle: pattern 11, the reader sees an inconsistent state.
// Passes: under the default schedule, where the writer comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

class Range {
 public:
  int width() {
    const int from = low();
    const int to = high();
    return to - from;
  }
  void shift(int low, int high) {
    std::lock_guard lock(mutex_);
    low_ = low;
    high_ = high;
  }

 private:
  int low() {
    std::lock_guard lock(mutex_);
    return low_;
  }
  int high() {
    std::lock_guard lock(mutex_);
    return high_;
  }

  std::mutex mutex_;
  int low_ = 0;
  int high_ = 10;
};

int main() {
  Range range;
  std::thread reader([&] { assert(range.width() == 10); });
  std::thread writer([&] { range.shift(100, 110); });
  reader.join();
  writer.join();
  std::printf("%d\n", range.width());
}
