// A lock that is fair: draw a number, wait until it is called.
// Alarms: drawing is relaxed, and only the call is ordered, so the lock's own atomics look too weak.
// Right: the number is called with release by who leaves, and heard with acquire by who enters.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> next_number{0};
std::atomic<int> called{0};
int line[3];
int length = 0;

void join_line(int name) {
  const int number = next_number.fetch_add(1, std::memory_order_relaxed);
  while (called.load(std::memory_order_acquire) != number) std::this_thread::yield();
  line[length] = name;
  ++length;
  called.store(number + 1, std::memory_order_release);
}

int main() {
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = std::thread(join_line, i + 1);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d in line, names sum up to %d\n", length, line[0] + line[1] + line[2]);
}
