// expect: assertion
// message: read_sum() == 0
// The same reader without the second look at the sequence.
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
  while (sequence.load() % 2 != 0) {
  }
  return left.load() + right.load();
}

int main() {
  std::thread reader([] { assert(read_sum() == 0); });
  write(1);
  reader.join();
}
