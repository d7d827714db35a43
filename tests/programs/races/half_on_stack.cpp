// expect: race
// message: data race on
// detect: race
// executions: 50
// One thread writes a word on the other's stack, the other reads its upper half.
#include <cstdint>
#include <thread>

union Word {
  uint64_t whole;
  uint32_t halves[2];
};

int main() {
  Word word{.whole = 0};
  std::thread other([&word] { word.whole = 1; });
  const volatile uint32_t upper = word.halves[1];
  other.join();
  return upper - upper;
}
