// expect: ok
// Dekker's algorithm: mutual exclusion with a retreat, no atomic read-modify-write.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<int> turn = 0;
int count = 0;

void visit(int me) {
  const int other = 1 - me;
  wants[me].store(true);
  while (wants[other].load()) {
    if (turn.load() == me) continue;
    wants[me].store(false);
    while (turn.load() != me) std::this_thread::yield();
    wants[me].store(true);
  }
  count = count + 1;
  turn.store(other);
  wants[me].store(false);
}

int main() {
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  first.join();
  second.join();
  assert(count == 2);
}
