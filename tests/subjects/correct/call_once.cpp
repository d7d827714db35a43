// A table filled by whoever needs it first, with std::call_once.
// Alarms: the other threads read it without a lock.
// Right: call_once returns after the one call has returned, and orders the two.
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag filled;
int squares[4];
int results[2];

void look_up(int reader, int number) {
  std::call_once(filled, [] {
    for (int i = 0; i < 4; ++i) squares[i] = i * i;
  });
  results[reader] = squares[number];
}

int main() {
  std::thread first(look_up, 0, 2);
  std::thread second(look_up, 1, 3);
  first.join();
  second.join();
  std::printf("%d %d\n", results[0], results[1]);
}
