// expect: detect none
// expect: predict atomicity harmful in Window::move, Window::shown
// The two ends of a window are atomic each, but not together.
// Heddle: no data race, yet the reader sees an inconsistent pair.
// Passes: under the default schedule, where the reader comes afterwards.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

class Window {
 public:
  void move(int to) {
    first_ = to;
    last_ = to + 9;
  }
  int shown() const {
    const int first = first_;
    return last_ - first + 1;
  }

 private:
  std::atomic<int> first_{0};
  std::atomic<int> last_{9};
};

Window window;

int main() {
  std::thread mover([] { window.move(50); });
  std::thread painter([] { assert(window.shown() == 10); });
  mover.join();
  painter.join();
  std::printf("%d\n", window.shown());
}
