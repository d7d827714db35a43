// Mutual exclusion of two threads by Peterson's algorithm, on sequentially consistent atomics.
// Alarms: no lock anywhere, and a thread may enter without having seen a store of the other.
// Right: whoever enters second has read what the first one stored when it left, or when it gave way.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<bool> interested[2];
std::atomic<int> last{0};
int counter = 0;

void enter_and_count(int self) {
  const int other = 1 - self;
  interested[self] = true;
  last = self;
  while (interested[other] && last == self) std::this_thread::yield();
  counter += 1;
  interested[self] = false;
}

int main() {
  std::thread one(enter_and_count, 0);
  std::thread two(enter_and_count, 1);
  one.join();
  two.join();
  std::printf("%d\n", counter);
}
