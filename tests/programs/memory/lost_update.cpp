// expect: assertion
// message: count == 2
// optimize: -O0 -O2
// The plain lost update: count++ by two threads.
#include <cassert>
#include <thread>

int count = 0;

int main() {
  std::thread first([] { count++; });
  std::thread second([] { count++; });
  first.join();
  second.join();
  assert(count == 2);
}
