// expect: assertion
// message: result == 9
// addresses: matter
// A worker counts the latch down and writes its result afterwards.
#include <cassert>
#include <latch>
#include <thread>

int main() {
  std::latch finished(1);
  int result = 0;
  std::jthread worker([&] {
    finished.count_down();
    result = 9;
  });
  finished.wait();
  assert(result == 9);
}
