// expect: detect deadlock any in dine
// expect: predict deadlock harmful in dine
// Three philosophers, each with the left fork first: a cycle of three locks and three threads.
// Heddle: the cycle, and the schedule in which all three wait.
// Passes: under the default schedule, where they eat one after the other.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex forks[3];
int meals[3];

void dine(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % 3]);
  ++meals[seat];
}

int main() {
  std::thread seats[3];
  for (int seat = 0; seat < 3; ++seat) seats[seat] = std::thread(dine, seat);
  for (std::thread& seat : seats) seat.join();
  std::printf("%d\n", meals[0] + meals[1] + meals[2]);
}
