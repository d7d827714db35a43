// Two producers and two consumers of a bounded queue without locks (D. Vyukov's, of many producers and
// consumers): each cell has a sequence number that says whose turn it is.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

struct Message {
  uint64_t words[8];
};

class Queue {
 public:
  Queue() {
    for (uint64_t i = 0; i < kSize; ++i) cells_[i].sequence.store(i, std::memory_order_relaxed);
  }
  bool push(const Message& message) {
    uint64_t at = end_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[at % kSize];
      const auto ahead = static_cast<int64_t>(cell.sequence.load(std::memory_order_acquire) - at);
      if (ahead < 0) return false;
      if (ahead > 0) {
        at = end_.load(std::memory_order_relaxed);
      } else if (end_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        for (int i = 0; i < 8; ++i) cell.message.words[i] = message.words[i];
        cell.sequence.store(at + 1, std::memory_order_release);
        return true;
      }
    }
  }
  bool pop(Message& message) {
    uint64_t at = begin_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[at % kSize];
      const auto ahead = static_cast<int64_t>(cell.sequence.load(std::memory_order_acquire) - (at + 1));
      if (ahead < 0) return false;
      if (ahead > 0) {
        at = begin_.load(std::memory_order_relaxed);
      } else if (begin_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        for (int i = 0; i < 8; ++i) message.words[i] = cell.message.words[i];
        cell.sequence.store(at + kSize, std::memory_order_release);
        return true;
      }
    }
  }

 private:
  static constexpr uint64_t kSize = 1024;
  struct Cell {
    std::atomic<uint64_t> sequence;
    Message message;
  };
  Cell cells_[kSize];
  alignas(64) std::atomic<uint64_t> begin_{0};
  alignas(64) std::atomic<uint64_t> end_{0};
};

uint64_t mix(uint64_t value) {
  value ^= value >> 33;
  return value * 0xff51afd7ed558ccdull;
}

}  // namespace

int main(int count, char** arguments) {
  const uint64_t messages = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 400000;
  static Queue queue;
  std::atomic<uint64_t> total{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([messages, i] {
      Message message{};
      for (uint64_t n = 0; n < messages; ++n) {
        for (uint64_t& word : message.words) word = mix(word + n + static_cast<uint64_t>(i));
        while (!queue.push(message)) std::this_thread::yield();
      }
    });
    threads.emplace_back([messages, &total] {
      uint64_t sum = 0;
      Message message;
      for (uint64_t n = 0; n < messages; ++n) {
        while (!queue.pop(message)) std::this_thread::yield();
        for (const uint64_t word : message.words) sum += mix(word);
      }
      total += sum;
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", total.load() != 0);
}
