// Two threads add to many shared counters, N rounds of it, which is right in every order, and then to one in
// two steps, so that an update can be lost: line 19 is where.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> counters[4];
std::atomic<int> total;

void work(int rounds) {
  for (int i = 0; i < rounds; ++i) counters[i % 4].fetch_add(1);
}

void add(int rounds) {
  work(rounds);
  const int seen = total.load();
  // Another one may be here, too.
  total.store(seen + 1);
  work(rounds);
}

int main(int, char** arguments) {
  const int rounds = std::atoi(arguments[1]);
  std::thread a(add, rounds);
  std::thread b(add, rounds);
  a.join();
  b.join();
  assert(total == 2);
}
