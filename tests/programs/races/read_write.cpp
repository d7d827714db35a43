// expect: race
// message: data race on 8 bytes
// detect: race
// executions: 50
// One thread reads what the other writes.
#include <thread>

long value;
long seen;

int main() {
  std::thread other([] { value = 1; });
  seen = value;
  other.join();
}
