// expect: ok
// detect: race
// executions: 200
// Two threads, each with its own half of a word on the stack of one of them.
#include <cstdint>
#include <thread>

union Word {
  uint64_t whole;
  uint32_t halves[2];
};

int main() {
  Word word{.whole = 0};
  std::thread other([&word] { word.halves[0] = 1; });
  const uint32_t upper = word.halves[1];
  other.join();
  return static_cast<int>(word.whole) - 1 + upper;
}
