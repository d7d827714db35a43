// Each thread updates its own slot of one array, several times.
// Alarms: one object, many writers, no lock: for who takes the whole array as one variable.
// Right: no two threads touch the same element before they are joined.
#include <array>
#include <cstdio>
#include <numeric>
#include <thread>

std::array<short, 4> slots = {};

void work(int number) {
  for (int round = 0; round < 3; ++round) slots[number] = static_cast<short>(slots[number] + number + 1);
}

int main() {
  std::thread threads[4];
  for (int i = 0; i < 4; ++i) threads[i] = std::thread(work, i);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", std::accumulate(slots.begin(), slots.end(), 0));
}
