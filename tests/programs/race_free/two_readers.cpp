// expect: ok
// detect: race
// executions: 200
// Several threads read; the one that has joined them writes.
#include <thread>

int value = 1;

int main() {
  for (int round = 0; round < 2; ++round) {
    std::thread first([] { return value; });
    std::thread second([] { return value; });
    std::thread third([] { return value; });
    first.join();
    second.join();
    third.join();
    value++;
  }
  return value - 3;
}
