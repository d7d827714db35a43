// Permits of a semaphore, taken with a time limit; who holds the only one may change the log.
// Alarms: try_acquire_for sleeps by a futex with a time limit, inside of the library's headers.
// Right: a permit is given back after the change and taken before the next one.
#include <chrono>
#include <cstdio>
#include <semaphore>
#include <thread>

std::binary_semaphore permit{1};
int entries = 0;

void add_entry() {
  while (!permit.try_acquire_for(std::chrono::seconds(1))) std::this_thread::yield();
  ++entries;
  permit.release();
}

int main() {
  std::thread one(add_entry);
  std::thread other(add_entry);
  one.join();
  other.join();
  std::printf("%d\n", entries);
}
