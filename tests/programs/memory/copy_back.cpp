// expect: assertion
// message: table[0] == 1
// memcpy out, change, memcpy back: the update of the other thread is copied over.
#include <cassert>
#include <cstring>
#include <thread>
#include <vector>

std::vector<int> table(64);

void set(int index) {
  std::vector<int> mine(table.size());
  std::memcpy(mine.data(), table.data(), table.size() * sizeof(int));
  mine[index] = 1;
  std::memcpy(table.data(), mine.data(), table.size() * sizeof(int));
}

int main() {
  std::thread first(set, 0);
  std::thread second(set, 63);
  first.join();
  second.join();
  assert(table[0] == 1 && table[63] == 1);
}
