// expect: ok
// The same tree of threads with an atomic counter; a parent reads what its children left behind.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> leaves = 0;

int grow(int depth) {
  if (depth == 0) {
    leaves.fetch_add(1);
    return 1;
  }
  int counts[2] = {};
  std::thread left([&] { counts[0] = grow(depth - 1); });
  std::thread right([&] { counts[1] = grow(depth - 1); });
  left.join();
  right.join();
  return counts[0] + counts[1];
}

int main() {
  assert(grow(2) == 4);
  assert(leaves == 4);
}
