// A sum by divide and conquer: every level starts a thread for one half and adds up after joining it.
// Alarms: partial sums are written and read by different threads, without a lock.
// Right: a thread's start and its end order it with its parent.
#include <cstdio>
#include <thread>

int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

void sum_up(int from, int to) {
  if (to - from == 1) return;
  const int middle = (from + to) / 2;
  std::thread lower(sum_up, from, middle);
  sum_up(middle, to);
  lower.join();
  numbers[from] += numbers[middle];
}

int main() {
  sum_up(0, 8);
  std::printf("%d\n", numbers[0]);
}
