// expect: ok
// FUTEX_WAKE_BITSET wakes only those who wait with one of its bits.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <thread>

int word = 0;
std::atomic<unsigned> allowed_bits = 0;

long futex(int operation, int value, unsigned bits) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, bits);
}

void wait(unsigned bits) {
  assert(futex(FUTEX_WAIT_BITSET_PRIVATE, 0, bits) == 0);
  assert((allowed_bits & bits) != 0);
}

void wake(unsigned bits) {
  allowed_bits = bits;
  while (futex(FUTEX_WAKE_BITSET_PRIVATE, 2, bits) == 0) sched_yield();
}

int main() {
  std::thread even(wait, 1u);
  std::thread odd(wait, 2u);
  wake(6u);
  odd.join();
  wake(1u);
  even.join();
}
