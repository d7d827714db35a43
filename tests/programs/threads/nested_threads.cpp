// expect: assertion
// message: leaves == 4
// Threads create threads (main/1/1, main/1/2, main/2/1, …); the leaves count themselves without a lock.
#include <cassert>
#include <thread>

int leaves = 0;

void grow(int depth) {
  if (depth == 0) {
    ++leaves;
    return;
  }
  std::thread left(grow, depth - 1);
  std::thread right(grow, depth - 1);
  left.join();
  right.join();
}

int main() {
  grow(2);
  assert(leaves == 4);
}
