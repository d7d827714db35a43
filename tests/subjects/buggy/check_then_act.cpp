// expect: detect none
// expect: predict atomicity harmful in Stack::size, Stack::clear
// Whether the stack has elements is checked in one critical section, and an element taken in another.
// Heddle: not atomic; if the stack is cleared in between, its size falls below zero.
// Passes: under the default schedule, where it is cleared afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

class Stack {
 public:
  void pop_if_any() {
    if (size() == 0) return;
    std::lock_guard lock(mutex_);
    --size_;
    assert(size_ >= 0);
  }
  void clear() {
    std::lock_guard lock(mutex_);
    size_ = 0;
  }
  int size() {
    std::lock_guard lock(mutex_);
    return size_;
  }

 private:
  std::mutex mutex_;
  int size_ = 2;
};

int main() {
  Stack stack;
  std::thread user([&] { stack.pop_if_any(); });
  std::thread cleaner([&] { stack.clear(); });
  user.join();
  cleaner.join();
  std::printf("%d\n", stack.size());
}
