// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// A variable on the stack of another thread.
#include <thread>

int main() {
  int value = 0;
  std::thread other([&value] { value++; });
  value++;
  other.join();
  return value - value;
}
