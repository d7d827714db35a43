// expect: assertion
// message: copy.first == copy.last
// A reader copies a struct while a writer is between its two halves.
#include <cassert>
#include <thread>

struct Reading {
  long first = 0;
  char payload[200] = {};
  long last = 0;
};
Reading reading;

__attribute__((noinline)) void take_copy(Reading& target, const Reading& source) {
  target = source;
}

int main() {
  std::thread writer([] {
    reading.first = 1;
    reading.last = 1;
  });
  Reading copy;
  take_copy(copy, reading);
  assert(copy.first == copy.last);
  writer.join();
}
