// expect: deadlock
//
// Deadlock, after the shutdown of Mozilla's TimerThread: shutdown() waits for the timer thread while it holds
// the lock that keeps new timers out. A repeating timer that has fired just before wants to be added again,
// and waits for that lock.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "../subject.h"

namespace {

struct Timer {
  int fired = 0;
  int repeats = 0;
};

class TimerThread {
 public:
  TimerThread() : thread_([this] { run(); }) {}

  void add(Timer& timer) {
    std::lock_guard admission(admission_mutex_);
    if (closed_) return;
    std::lock_guard lock(mutex_);
    due_.push_back(&timer);
    changed_.notify_one();
  }

  void shutdown() {
    std::unique_lock admission(admission_mutex_);
    closed_ = true;
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
      changed_.notify_one();
    }
    if (subject::fixed) admission.unlock();
    thread_.join();
  }

 private:
  void run() {
    while (Timer* timer = next_due()) {
      ++timer->fired;
      if (timer->fired <= timer->repeats) add(*timer);
    }
  }

  // Null when it is time to stop.
  Timer* next_due() {
    std::unique_lock lock(mutex_);
    while (due_.empty() && !stopping_) changed_.wait(lock);
    if (stopping_) return nullptr;
    Timer* timer = due_.front();
    due_.pop_front();
    return timer;
  }

  std::mutex admission_mutex_;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Timer*> due_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Timer once;
  Timer repeating{.repeats = 1};
  TimerThread timers;
  timers.add(repeating);
  timers.add(once);
  timers.shutdown();
  assert(once.fired <= 1 && repeating.fired <= 2);
}
