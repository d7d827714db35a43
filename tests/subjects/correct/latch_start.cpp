// Workers wait at one latch until everything is set up, and the main thread at another until all are done.
// Alarms: the data go from one thread to many and back, and latches are atomics in a header.
// Right: counting down releases, and passing the latch acquires.
#include <cstdio>
#include <latch>
#include <thread>

int input = 0;
int outputs[3];
std::latch started{1};
std::latch finished{3};

void work(int number) {
  started.wait();
  outputs[number] = input + number;
  finished.count_down();
}

int main() {
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = std::thread(work, i);
  input = 10;
  started.count_down();
  finished.wait();
  std::printf("%d\n", outputs[0] + outputs[1] + outputs[2]);
  for (std::thread& thread : threads) thread.join();
}
