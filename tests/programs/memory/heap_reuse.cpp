// expect: assertion
// message: *counter == 2
// One heap block after the other at the same address, private ones in between; only the last one is shared
// carelessly. What was learned about a block must follow its allocation, not its address.
#include <cassert>
#include <memory>
#include <thread>

void use_alone() {
  for (int i = 0; i < 4; ++i) {
    auto scratch = std::make_unique<long>(i);
    *scratch += 1;
    assert(*scratch == i + 1);
  }
}

int main() {
  use_alone();
  auto counter = std::make_unique<long>(0);
  auto add = [&] { *counter += 1; };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(*counter == 2);
  counter.reset();
  use_alone();
}
