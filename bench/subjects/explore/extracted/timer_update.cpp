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
  }

  Timing timing() {
    std::lock_guard lock(mutex_);
    return timing_;
  }

 private:
  std::mutex mutex_;
  const int started_;
  Timing timing_;
};

class Clock {
 public:
  void tick() {
    std::lock_guard lock(mutex_);
    ++now_;
  }
  int now() {
    std::lock_guard lock(mutex_);
    return now_;
  }

 private:
  std::mutex mutex_;
  int now_ = 0;
};

constexpr int kStart = 1000;

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Timer timer(kStart, 50);
  Clock clock;
  std::thread page([&] {
    timer.set_delay(20 + clock.now());
    clock.tick();
  });
  std::thread queue([&] {
    clock.tick();
    clock.tick();
    const Timing timing = timer.timing();
    assert(timing.due == kStart + timing.delay);
  });
  page.join();
  queue.join();
  assert(clock.now() == 3);
}
