// expect: assertion
// Two critical sections of different mutexes order nothing.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex one;
std::mutex other;
int value;

int main() {
  std::thread first([] {
    std::lock_guard guard(one);
    value++;
  });
  std::thread second([] {
    std::lock_guard guard(other);
    value++;
  });
  first.join();
  second.join();
  assert(value == 2);
}
