// expect: assertion
//
// Atomicity violation over two variables, after Mozilla's nsTimerImpl: a timer's delay and the time at which
// it is due are each kept under the lock, but set one after the other. A reader between the two sees a pair
// that never was.
#include <cassert>
#include <mutex>
#include <thread>

#include "../subject.h"

namespace {

struct Timing {
  int delay;
  int due;
};

class Timer {
 public:
  Timer(int now, int delay) : started_(now), timing_{delay, now + delay} {}

  void set_delay(int delay) {
    std::unique_lock lock(mutex_);
    timing_.delay = delay;
    if (!subject::fixed) {
      lock.unlock();
      lock.lock();
    }
    timing_.due = started_ + delay;
    ++changes_;
  }

  Timing timing() {
    std::lock_guard lock(mutex_);
    return timing_;
  }

  int changes() {
    std::lock_guard lock(mutex_);
    return changes_;
  }

 private:
  std::mutex mutex_;
  const int started_;
  Timing timing_;
  int changes_ = 0;
};

constexpr int kStart = 1000;

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Timer timer(kStart, 50);
  std::thread page([&timer] {
    timer.set_delay(20);
    timer.set_delay(80);
  });
  std::thread queue([&timer] {
    for (int look = 0; look < 2; ++look) {
      const Timing timing = timer.timing();
      assert(timing.due == kStart + timing.delay);
    }
  });
  page.join();
  queue.join();
  assert(timer.changes() == 2);
}
