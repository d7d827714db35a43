// expect: assertion
// message: low <= high
// Both ends of a range are set under the lock, one after the other; a reader comes in between.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int range_low = 0;
int range_high = 10;

void set_low(int value) {
  std::lock_guard lock(mutex);
  range_low = value;
}

void set_high(int value) {
  std::lock_guard lock(mutex);
  range_high = value;
}

int main() {
  std::thread mover([] {
    set_low(20);
    set_high(30);
  });
  {
    std::lock_guard lock(mutex);
    const int low = range_low;
    const int high = range_high;
    assert(low <= high);
  }
  mover.join();
}
