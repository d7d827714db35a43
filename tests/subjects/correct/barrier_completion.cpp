// A relaxation in phases: each worker writes its cell, and the completion function of the barrier swaps the
// arrays.
// Alarms: the swap is done by whichever thread arrives last, under no lock.
// Right: all have arrived before the completion function runs, and go on after it.
#include <barrier>
#include <cstdio>
#include <thread>
#include <utility>

int even[2] = {8, 0};
int odd[2] = {};
int* from = even;
int* to = odd;

void swap_arrays() noexcept {
  std::swap(from, to);
}

std::barrier barrier(2, &swap_arrays);

void work(int cell) {
  for (int phase = 0; phase < 3; ++phase) {
    to[cell] = (from[0] + from[1]) / 2 + cell;
    barrier.arrive_and_wait();
  }
}

int main() {
  std::thread left(work, 0);
  std::thread right(work, 1);
  left.join();
  right.join();
  std::printf("%d %d\n", from[0], from[1]);
}
