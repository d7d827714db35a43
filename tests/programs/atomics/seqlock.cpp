// expect: ok
// A sequence lock: the reader tries again if the writer was busy; it never believes a torn pair.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence = 0;
std::atomic<int> left = 0;
std::atomic<int> right = 0;

void write(int value) {
  sequence.fetch_add(1);
  left.store(value);
  right.store(-value);
  sequence.fetch_add(1);
}

int read_sum() {
  for (;;) {
    const unsigned before = sequence.load();
    const int sum = left.load() + right.load();
    if (before % 2 == 0 && sequence.load() == before) return sum;
  }
}

int main() {
  std::thread reader([] { assert(read_sum() == 0); });
  write(1);
  write(2);
  reader.join();
}
