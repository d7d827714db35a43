// expect: assertion
//
// Order violation, after the node states of a Mozilla worker: the threads are let go first, and their nodes
// marked as running afterwards. One that is done by then is marked as running for good.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../subject.h"

namespace {

enum class State { kCreated, kRunning, kFinished };

class Node {
 public:
  void set_state(State state) {
    std::lock_guard lock(mutex_);
    state_ = state;
  }
  State state() {
    std::lock_guard lock(mutex_);
    return state_;
  }
  void add(int value) {
    std::lock_guard lock(mutex_);
    sum_ += value;
  }
  int sum() {
    std::lock_guard lock(mutex_);
    return sum_;
  }

 private:
  std::mutex mutex_;
  State state_ = State::kCreated;
  int sum_ = 0;
};

class Gate {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    while (!is_open_) opened_.wait(lock);
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Node parent;
  Node left;
  Node right;
  Gate gate;
  const auto work = [&](Node& node) {
    gate.pass();
    for (int value = 1; value <= 2; ++value) node.add(value);
    parent.add(node.sum());
    node.set_state(State::kFinished);
  };
  std::thread first([&] { work(left); });
  std::thread second([&] { work(right); });
  if (!subject::fixed) gate.open();
  left.set_state(State::kRunning);
  right.set_state(State::kRunning);
  if (subject::fixed) gate.open();
  first.join();
  second.join();
  assert(parent.sum() == 6);
  assert(left.state() == State::kFinished && right.state() == State::kFinished);
}
