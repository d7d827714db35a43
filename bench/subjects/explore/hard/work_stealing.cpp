// expect: assertion last
// expect: assertion late
// expect: assertion stale
//
// A work-stealing queue after Chase and Lev, with three of the mistakes made in copies of it. `last`: the
// owner takes the last task without competing for it with a thief. `late`: a thief reads its task after it
// has given the slot free. `stale`: a thief reads the bottom before the top, and with it tasks that the owner
// has taken since. In each case a task is executed twice, or not at all.
#include <array>
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

#include "../subject.h"

namespace {

constexpr int kTasks = 4;
constexpr int kNone = -1;

enum class Bug { kNone, kLast, kLate, kStale };

class StealingQueue {
 public:
  explicit StealingQueue(Bug bug) : bug_(bug) {}

  // Owner only. False if there is no room.
  bool push(int task) {
    const int bottom = bottom_.load();
    if (bottom - top_.load() >= kCapacity) return false;
    slot(bottom).store(task);
    bottom_.store(bottom + 1);
    return true;
  }

  // Owner only.
  int pop() {
    const int bottom = bottom_.load() - 1;
    bottom_.store(bottom);
    int top = top_.load();
    if (top > bottom) {
      bottom_.store(bottom + 1);
      return kNone;
    }
    int task = slot(bottom).load();
    if (top == bottom) {
      if (bug_ == Bug::kLast) {
        top_.store(top + 1);
      } else if (!top_.compare_exchange_strong(top, top + 1)) {
        task = kNone;
      }
      bottom_.store(bottom + 1);
    }
    return task;
  }

  int steal() {
    int bottom = bug_ == Bug::kStale ? bottom_.load() : 0;
    int top = top_.load();
    if (bug_ != Bug::kStale) bottom = bottom_.load();
    if (top >= bottom) return kNone;
    int task = slot(top).load();
    const int stolen = top;
    if (!top_.compare_exchange_strong(top, top + 1)) return kNone;
    if (bug_ == Bug::kLate) task = slot(stolen).load();
    return task;
  }

 private:
  static constexpr int kCapacity = 2;

  std::atomic<int>& slot(int index) { return slots_[static_cast<size_t>(index) % kCapacity]; }

  const Bug bug_;
  std::atomic<int> top_ = 0;
  std::atomic<int> bottom_ = 0;
  std::array<std::atomic<int>, kCapacity> slots_{};
};

class Tasks {
 public:
  void execute(int task) {
    if (task != kNone) executed_[static_cast<size_t>(task)].fetch_add(1);
  }
  bool each_executed_once() const {
    for (const std::atomic<int>& count : executed_) {
      if (count.load() != 1) return false;
    }
    return true;
  }

 private:
  std::array<std::atomic<int>, kTasks> executed_{};
};

Bug bug_named(const std::string& name) {
  if (name == "last") return Bug::kLast;
  if (name == "late") return Bug::kLate;
  if (name == "stale") return Bug::kStale;
  return Bug::kNone;
}

}  // namespace

int main(int argc, char** argv) {
  const Bug bug = bug_named(subject::read_word(argc, argv));
  if (bug == Bug::kNone) subject::refuse(argv[0], "last|late|stale");
  StealingQueue queue(subject::fixed ? Bug::kNone : bug);
  Tasks tasks;
  std::thread thief([&] {
    for (int attempt = 0; attempt < 2; ++attempt) tasks.execute(queue.steal());
  });
  for (int task = 0; task < kTasks; ++task) {
    while (!queue.push(task)) tasks.execute(queue.pop());
  }
  for (int task = queue.pop(); task != kNone; task = queue.pop()) tasks.execute(task);
  thief.join();
  assert(tasks.each_executed_once());
}
