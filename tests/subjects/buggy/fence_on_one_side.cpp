// expect: detect race any in fill, drain
// The writer has its release fence, the reader forgot the acquire fence.
// Heddle: one fence alone orders nothing, so the buffer's accesses race.
// Passes: under every interleaving; only a weaker memory shows the harm.
#include <atomic>
#include <cstdio>
#include <thread>

int buffer = 0;
std::atomic<bool> full{false};

void fill() {
  buffer = 9;
  std::atomic_thread_fence(std::memory_order_release);
  full.store(true, std::memory_order_relaxed);
}

void drain() {
  while (!full.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::printf("%d\n", buffer);
}

int main() {
  std::thread writer(fill);
  std::thread reader(drain);
  writer.join();
  reader.join();
}
