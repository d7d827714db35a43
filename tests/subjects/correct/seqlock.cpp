// A pair of values under a sequence lock: readers take no lock and try again if a writer was at work.
// Alarms: readers see half-written pairs, in values as well as in order, and rely on fences to notice.
// Right: the data are atomic, so nothing races, and a pair counts only if the sequence number stood still.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<unsigned> sequence{0};
std::atomic<int> low{0};
std::atomic<int> high{0};

void write(int value) {
  const unsigned before = sequence.load(std::memory_order_relaxed);
  sequence.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  low.store(value, std::memory_order_relaxed);
  high.store(value + 1, std::memory_order_relaxed);
  sequence.store(before + 2, std::memory_order_release);
}

int read_width() {
  for (;;) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    const int from = low.load(std::memory_order_relaxed);
    const int to = high.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && before == sequence.load(std::memory_order_relaxed)) return to - from;
    std::this_thread::yield();
  }
}

int main() {
  write(1);
  std::thread writer([] {
    write(5);
    write(9);
  });
  const int width = read_width();
  writer.join();
  std::printf("%d\n", width);
}
