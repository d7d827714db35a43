// Looks ten times and counts how often it saw the value. To hold it back as one that waits loses
// interleavings.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> value;

int main() {
  std::thread writer([] { value.store(1); });
  int seen = 0;
  for (int i = 0; i < 10; ++i) seen += value.load();
  writer.join();
  assert(seen != 5);
}
