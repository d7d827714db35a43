// expect: ok
// detect: race
// executions: 200
// Two threads, each with its own half of a word on the stack of one of them.
#include <cstdint>
#include <thread>

struct alignas(8) Word {
  uint32_t lower;
  uint32_t upper;
};
uint32_t seen;

int main() {
  Word word{};
  std::thread other([&word] { seen = word.upper; });
  word.lower++;
  other.join();
  return static_cast<int>(word.lower + seen - 1);
}
