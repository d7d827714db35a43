// Counters of one object, updated by relaxed atomics in no particular order and read when all is done.
// Alarms: the fields of one object are seen to change one by one.
// Right: each counter stands for itself, and the sum is taken after the joins.
#include <atomic>
#include <cstdio>
#include <thread>

struct Statistics {
  std::atomic<int> requests{0};
  std::atomic<int> bytes{0};
  std::atomic<int> largest{0};
};

Statistics statistics;

void serve(int bytes) {
  statistics.requests.fetch_add(1, std::memory_order_relaxed);
  statistics.bytes.fetch_add(bytes, std::memory_order_relaxed);
  int largest = statistics.largest.load(std::memory_order_relaxed);
  while (largest < bytes &&
         !statistics.largest.compare_exchange_weak(largest, bytes, std::memory_order_relaxed)) {
  }
}

int main() {
  std::thread small(serve, 10);
  std::thread large(serve, 300);
  small.join();
  large.join();
  std::printf("%d requests, %d bytes, largest %d\n", statistics.requests.load(), statistics.bytes.load(),
              statistics.largest.load());
}
