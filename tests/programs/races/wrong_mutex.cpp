// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// Each thread has a lock, but not the same.
#include <mutex>
#include <thread>

std::mutex one;
std::mutex two;
int value;

int main() {
  std::thread other([] {
    std::lock_guard guard(one);
    value++;
  });
  {
    std::lock_guard guard(two);
    value++;
  }
  other.join();
}
