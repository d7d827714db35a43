// expect: race
// message: data race on 1 byte
// detect: race
// executions: 50
// The second byte of a word is raced for, and the first one is not.
#include <cstdint>
#include <thread>

alignas(8) uint8_t bytes[8];

int main() {
  std::thread other([] {
    bytes[0]++;
    bytes[1]++;
  });
  bytes[1]++;
  bytes[2]++;
  other.join();
}
