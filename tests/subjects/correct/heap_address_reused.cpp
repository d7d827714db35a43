// Two threads allocate, use and free buffers of their own; the heap may give one of them what the other had.
// Alarms: the same addresses are written by both threads, and the program orders them nowhere.
// Right: they are different objects; the heap orders the end of one with the beginning of the next.
#include <cstdio>
#include <cstdlib>
#include <thread>

int results[2];

void work(int number) {
  int sum = 0;
  for (int round = 1; round <= 3; ++round) {
    int* buffer = static_cast<int*>(std::malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) buffer[i] = round * (number + 1);
    for (int i = 0; i < 4; ++i) sum += buffer[i];
    std::free(buffer);
  }
  results[number] = sum;
}

int main() {
  std::thread one(work, 0);
  std::thread other(work, 1);
  one.join();
  other.join();
  std::printf("%d %d\n", results[0], results[1]);
}
