// expect: ok
// A new thread computes with the rounding direction of its creator, in SSE and in x87 registers.
#include <cassert>
#include <cfenv>
#include <thread>

volatile double one = 1;
volatile long double long_one = 1;

int main() {
  std::fesetround(FE_UPWARD);
  std::thread worker([] {
    assert(std::fegetround() == FE_UPWARD);
    assert(one / 3 * 3 > 1);
    assert(long_one / 3 * 3 > 1);
  });
  worker.join();
}
