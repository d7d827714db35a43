// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// Two threads write.
#include <thread>

int value;

int main() {
  std::thread other([] { value = 1; });
  value = 2;
  other.join();
}
