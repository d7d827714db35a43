// expect: race
// message: data race on
// detect: race
// executions: 50
// One thread writes a word on its stack, the other reads the upper half.
#include <cstdint>
#include <cstring>
#include <thread>

uint32_t seen;

int main() {
  uint64_t word = 0;
  std::thread other(
      [&word] { std::memcpy(&seen, reinterpret_cast<const char*>(&word) + sizeof seen, sizeof seen); });
  word++;
  other.join();
  return static_cast<int>(word + seen - 1);
}
