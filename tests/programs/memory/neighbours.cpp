// expect: ok
// Small fields that share a word but not a thread: no alarm, no lost value.
#include <cassert>
#include <cstdint>
#include <thread>

struct Neighbours {
  uint8_t byte = 0;
  uint8_t other_byte = 0;
  uint16_t half = 0;
  uint32_t word = 0;
};
Neighbours fields;

int main() {
  std::thread first([] {
    for (int i = 0; i < 3; ++i) ++fields.byte, ++fields.half;
  });
  std::thread second([] {
    for (int i = 0; i < 3; ++i) ++fields.other_byte, ++fields.word;
  });
  first.join();
  second.join();
  assert(fields.byte == 3 && fields.other_byte == 3 && fields.half == 3 && fields.word == 3);
}
