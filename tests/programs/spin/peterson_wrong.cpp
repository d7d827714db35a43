// expect: assertion
// message: inside == 1
// Peterson's algorithm with the two stores the wrong way round: both threads get in.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<int> turn = 0;
std::atomic<int> inside = 0;

void visit(int me) {
  turn.store(1 - me);
  wants[me].store(true);
  while (wants[1 - me].load() && turn.load() == 1 - me) {
  }
  inside.fetch_add(1);
  assert(inside == 1);
  inside.fetch_sub(1);
  wants[me].store(false);
}

int main() {
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  first.join();
  second.join();
}
