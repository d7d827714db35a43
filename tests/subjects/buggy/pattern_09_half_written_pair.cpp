// expect: detect none
// expect: predict atomicity pattern 9 harmful in Position::set_x, Position::distance
// A position is moved in two critical sections, one for each coordinate; the reader takes both in one.
// Heddle: pattern 9, the reader sees an inconsistent state.
// Passes: under the default schedule, where the reader comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

class Position {
 public:
  void move(int by) {
    set_x(by);
    set_y(by);
  }
  int distance() {
    std::lock_guard lock(mutex_);
    return x_ - y_;
  }

 private:
  void set_x(int x) {
    std::lock_guard lock(mutex_);
    x_ = x;
  }
  void set_y(int y) {
    std::lock_guard lock(mutex_);
    y_ = y;
  }

  std::mutex mutex_;
  int x_ = 0;
  int y_ = 0;
};

int main() {
  Position position;
  std::thread mover([&] { position.move(5); });
  std::thread reader([&] { assert(position.distance() == 0); });
  mover.join();
  reader.join();
  std::printf("%d\n", position.distance());
}
