// expect: assertion
// message: data.load() == 42
// The flag that announces the data is set first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data = 0;
std::atomic<bool> ready = false;

int main() {
  std::thread producer([] {
    ready.store(true);
    data.store(42);
  });
  if (ready.load()) assert(data.load() == 42);
  producer.join();
}
