// expect: ok
// optimize: -O0 -O2
// Waiting by re-reading an atomic flag, with and without a yield: always ends, under any fair schedule.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready = false;
std::atomic<bool> taken = false;
int data = 0;

int main() {
  std::thread consumer([] {
    while (!ready.load(std::memory_order_acquire)) {
    }
    assert(data == 42);
    taken.store(true, std::memory_order_release);
  });
  data = 42;
  ready.store(true, std::memory_order_release);
  while (!taken.load(std::memory_order_acquire)) std::this_thread::yield();
  data = 0;
  consumer.join();
}
