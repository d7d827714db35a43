// Each thread counts in a thread_local whose destructor adds the count to the total, under a lock.
// Alarms: the destructors run late, after the thread's function; thread-local memory is used again by others.
// Right: they run before the thread can be joined, and each thread has its own counter.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int total = 0;

struct Counter {
  ~Counter() {
    std::lock_guard lock(mutex);
    total += count;
  }
  int count = 0;
};

thread_local Counter counter;

void work(int times) {
  for (int i = 0; i < times; ++i) ++counter.count;
}

int main() {
  std::thread first(work, 3);
  std::thread second(work, 4);
  first.join();
  second.join();
  std::printf("%d\n", total);
}
