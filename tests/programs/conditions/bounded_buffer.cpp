// expect: ok
// optimize: -O0 -O2
// The textbook bounded buffer: two conditions, predicates in loops.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable not_full;
std::condition_variable not_empty;
int slots[2];
int used = 0;

void put(int value) {
  std::unique_lock lock(mutex);
  not_full.wait(lock, [] { return used < 2; });
  slots[used++] = value;
  not_empty.notify_one();
}

int take() {
  std::unique_lock lock(mutex);
  not_empty.wait(lock, [] { return used > 0; });
  const int value = slots[--used];
  not_full.notify_one();
  return value;
}

int main() {
  int sums[2] = {};
  std::thread first([&] { sums[0] = take() + take(); });
  std::thread second([&] { sums[1] = take(); });
  for (int i = 1; i <= 3; ++i) put(i);
  first.join();
  second.join();
  assert(sums[0] + sums[1] == 6);
}
