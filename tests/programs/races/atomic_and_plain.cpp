// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// An atomic access does not save a plain one.
#include <atomic>
#include <thread>

int value;

int main() {
  std::thread other([] { std::atomic_ref<int>(value).fetch_add(1); });
  value++;
  other.join();
}
