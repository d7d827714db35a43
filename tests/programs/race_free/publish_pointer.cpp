// expect: ok
// detect: race
// executions: 200
// As RCU does it: a new version is published by its pointer, the old one freed when nobody reads.
#include <atomic>
#include <cstdlib>
#include <thread>

struct Version {
  int a;
  int b;
};
std::atomic<Version*> current;
std::atomic<int> readers;

int main() {
  current = new Version{1, 1};
  std::thread reader([] {
    readers.fetch_add(1);
    const Version* seen = current.load(std::memory_order_acquire);
    const int difference = seen->a - seen->b;
    readers.fetch_sub(1);
    if (difference != 0) std::abort();
  });
  auto* next = new Version{2, 2};
  Version* old = current.exchange(next);
  while (readers.load() != 0) std::this_thread::yield();
  delete old;
  reader.join();
  delete current.load();
}
