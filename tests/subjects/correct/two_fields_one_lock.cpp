// A range whose bounds move together under one lock; readers look at both under the same.
// Alarms: two writes that a reader could come between.
// Right: writers and readers of the two fields hold the same lock for all of it.
#include <cstdio>
#include <mutex>
#include <thread>

class Range {
 public:
  void shift(int by) {
    std::lock_guard lock(mutex_);
    low_ += by;
    high_ += by;
  }
  int width() {
    std::lock_guard lock(mutex_);
    return high_ - low_;
  }

 private:
  std::mutex mutex_;
  int low_ = 0;
  int high_ = 10;
};

int main() {
  Range range;
  int width = 0;
  std::thread up([&] { range.shift(100); });
  std::thread reader([&] { width = range.width(); });
  std::thread down([&] { range.shift(-40); });
  up.join();
  reader.join();
  down.join();
  std::printf("%d\n", width);
}
