// expect: assertion
// message: flags.seen
// Two bit-fields are one memory location: who copies, changes and writes back one can undo the other.
#include <cassert>
#include <thread>

struct Flags {
  unsigned seen : 1;
  unsigned answered : 1;
};
Flags flags = {};

int main() {
  std::thread reader([] {
    Flags changed = flags;
    changed.seen = 1;
    flags = changed;
  });
  std::thread writer([] {
    Flags changed = flags;
    changed.answered = 1;
    flags = changed;
  });
  reader.join();
  writer.join();
  assert(flags.seen && flags.answered);
}
