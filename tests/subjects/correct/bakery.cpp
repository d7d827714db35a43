// Lamport's bakery for three threads, on sequentially consistent atomics.
// Alarms: no lock, no exchange: only loads and stores keep the threads apart.
// Right: whoever enters has read, from each thread that was inside before, the store by which it left.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>

constexpr int kThreads = 3;
std::atomic<bool> choosing[kThreads];
std::atomic<int> numbers[kThreads];
int served = 0;

void serve(int self) {
  choosing[self] = true;
  int highest = 0;
  for (const std::atomic<int>& number : numbers) highest = std::max(highest, number.load());
  numbers[self] = highest + 1;
  choosing[self] = false;
  for (int other = 0; other < kThreads; ++other) {
    while (choosing[other]) std::this_thread::yield();
    for (;;) {
      const int number = numbers[other];
      if (number == 0 || std::pair(number, other) >= std::pair(highest + 1, self)) break;
      std::this_thread::yield();
    }
  }
  ++served;
  numbers[self] = 0;
}

int main() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(serve, i);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", served);
}
