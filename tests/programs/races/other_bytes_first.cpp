// expect: race
// message: data race on 1 byte
// detect: race
// executions: 50
// A thread touches two parts of a word; another one races for the first.
#include <cstdint>
#include <thread>

alignas(8) uint8_t bytes[8];

int main() {
  std::thread other([] {
    bytes[3] = 1;
    bytes[5] = 1;
    bytes[7] = 1;
  });
  bytes[3] = 2;
  other.join();
}
