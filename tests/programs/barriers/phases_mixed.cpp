// expect: assertion
// message: input
// A worker publishes its cell after the barrier instead of before it.
#include <atomic>
#include <barrier>
#include <cassert>
#include <thread>

std::barrier meeting(2);
std::atomic<int> cells[2] = {0, 0};

void work(int me) {
  if (me == 0) cells[me].store(1);
  meeting.arrive_and_wait();
  if (me == 1) cells[me].store(1);
  const int input = cells[1 - me].load();
  assert(input == 1);
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
}
