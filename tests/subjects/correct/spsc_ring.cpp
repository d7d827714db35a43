// A ring buffer for one producer and one consumer, without locks.
// Alarms: the slots are plain memory that two threads write and read in turn, and no lock guards them.
// Right: a slot is handed over by a release store of an index, and back by the other one.
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

class Ring {
 public:
  bool push(int value) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) return false;
    slots_[tail % slots_.size()] = value;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool pop(int& value) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    value = slots_[head % slots_.size()];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<int, 2> slots_ = {};
  std::atomic<unsigned> head_{0};
  std::atomic<unsigned> tail_{0};
};

constexpr int kItems = 4;

int main() {
  Ring ring;
  std::thread producer([&] {
    for (int item = 1; item <= kItems; ++item)
      while (!ring.push(item)) std::this_thread::yield();
  });
  int sum = 0;
  for (int i = 0; i < kItems; ++i) {
    int item = 0;
    while (!ring.pop(item)) std::this_thread::yield();
    sum = sum * 10 + item;
  }
  producer.join();
  std::printf("%d\n", sum);
}
