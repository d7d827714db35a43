// expect: ok
// optimize: -O0 -O2
// A function-local static is made once, by whoever comes first, and is complete for everybody.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> constructions = 0;

struct Table {
  int size;
  int sum;
  Table() : size(0), sum(0) {
    constructions.fetch_add(1);
    for (int i = 1; i <= 3; ++i) {
      ++size;
      sum += i;
    }
  }
};

const Table& table() {
  static const Table instance;
  return instance;
}

int main() {
  auto use = [] { assert(table().size == 3 && table().sum == 6); };
  std::thread first(use);
  std::thread second(use);
  use();
  first.join();
  second.join();
  assert(constructions == 1);
}
