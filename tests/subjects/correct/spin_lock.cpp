// A spin lock made of an atomic_flag, used by std::lock_guard.
// Alarms: tools that know only pthread locks see no lock around the counter.
// Right: clearing the flag releases, and the test-and-set that finds it clear acquires.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (taken_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { taken_.clear(std::memory_order_release); }

 private:
  std::atomic_flag taken_;
};

SpinLock spin_lock;
long counter = 0;

void add(long amount) {
  std::lock_guard lock(spin_lock);
  counter = counter + amount;
}

int main() {
  std::thread one(add, 5);
  std::thread other(add, 7);
  one.join();
  other.join();
  std::printf("%ld\n", counter);
}
