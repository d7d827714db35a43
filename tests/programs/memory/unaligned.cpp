// expect: assertion
// message: length == 30
// A lost update of a member that lies across two words.
#include <cassert>
#include <cstdint>
#include <thread>

struct __attribute__((packed)) Header {
  char tag[5];
  uint64_t length;
};
Header header = {};

void add(uint64_t bytes) {
  header.length = header.length + bytes;
}

int main() {
  std::thread first(add, 10);
  std::thread second(add, 20);
  first.join();
  second.join();
  const uint64_t length = header.length;
  assert(length == 30);
}
