// expect: detect none
// expect: predict atomicity pattern 6 harmful in Range::set
// The bounds of a range are set in two critical sections, by two threads at a time.
// Heddle: pattern 6, the range is left with the bounds of different threads.
// Passes: under the default schedule, where one follows the other.
#include <cstdio>
#include <mutex>
#include <thread>

class Range {
 public:
  void set(int low, int high) {
    {
      std::lock_guard lock(mutex_);
      low_ = low;
    }
    std::lock_guard lock(mutex_);
    high_ = high;
  }
  void print() {
    std::lock_guard lock(mutex_);
    std::printf("width %d\n", high_ - low_);
  }

 private:
  std::mutex mutex_;
  int low_ = 0;
  int high_ = 0;
};

Range range;

int main() {
  std::thread one([] { range.set(1, 4); });
  std::thread other([] { range.set(10, 13); });
  one.join();
  other.join();
  range.print();
}
