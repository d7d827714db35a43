// expect: lost-wakeup
//
// A multithreaded quicksort with a hand-made condition protocol, in the shape of qsort_mt of SCTBench's
// suite. Each worker has a slot with a state, and the last one to become idle ends all others. A worker
// counts itself as idle before it sets its state to idle: if the last one ends it in between, it overwrites
// that, and waits forever.
#include <algorithm>
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

constexpr size_t kWorkers = 2;
constexpr size_t kSmall = 3;

enum class State { kIdle, kWork, kEnd };

struct Slot {
  std::mutex mutex;
  std::condition_variable changed;
  State state = State::kIdle;
  std::span<int> range;
};

class Sorter {
 public:
  void sort(std::span<int> values) {
    slots_[0].state = State::kWork;
    slots_[0].range = values;
    std::vector<std::thread> workers;
    for (Slot& slot : slots_) workers.emplace_back([this, &slot] { work(slot); });
    for (std::thread& worker : workers) worker.join();
  }

 private:
  void work(Slot& slot) {
    while (wait_for_work(slot) != State::kEnd) {
      sort_range(slot.range);
      if (subject::fixed) set_state(slot, State::kIdle);
      if (count_as_idle()) {
        for (Slot& each : slots_) set_state(each, State::kEnd);
      } else if (!subject::fixed) {
        set_state(slot, State::kIdle);
      }
    }
  }

  static State wait_for_work(Slot& slot) {
    std::unique_lock lock(slot.mutex);
    while (slot.state == State::kIdle) slot.changed.wait(lock);
    return slot.state;
  }

  static void set_state(Slot& slot, State state) {
    std::lock_guard lock(slot.mutex);
    slot.state = state;
    slot.changed.notify_one();
  }

  // True for the last one: nobody has work, so nobody can hand any over.
  bool count_as_idle() {
    std::lock_guard lock(mutex_);
    return ++idle_ == kWorkers;
  }

  void sort_range(std::span<int> values) {
    while (values.size() > kSmall) {
      const int pivot = values[values.size() / 2];
      const auto equal = std::partition(values.begin(), values.end(), [pivot](int v) { return v < pivot; });
      const auto above = std::partition(equal, values.end(), [pivot](int v) { return v == pivot; });
      const std::span<int> upper(above, values.end());
      if (!hand_over(upper)) sort_range(upper);
      values = std::span<int>(values.begin(), equal);
    }
    std::sort(values.begin(), values.end());
  }

  // Gives the range to an idle worker, if there is one and it is worth it.
  bool hand_over(std::span<int> range) {
    if (range.size() < kSmall) return false;
    std::lock_guard lock(mutex_);
    for (Slot& slot : slots_) {
      std::lock_guard slot_lock(slot.mutex);
      if (slot.state != State::kIdle) continue;
      --idle_;
      slot.range = range;
      slot.state = State::kWork;
      slot.changed.notify_one();
      return true;
    }
    return false;
  }

  std::mutex mutex_;
  size_t idle_ = kWorkers - 1;
  std::array<Slot, kWorkers> slots_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  std::vector<int> values{6, 2, 8, 4, 1, 7, 3, 5};
  Sorter().sort(values);
  assert(std::is_sorted(values.begin(), values.end()));
}
