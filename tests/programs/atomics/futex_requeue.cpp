// expect: ok
// FUTEX_CMP_REQUEUE and FUTEX_REQUEUE move waiters to another word, where they are woken one by one.
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <climits>
#include <thread>

int event = 0;
int turn = 0;
std::atomic<int> passed = 0;

long futex(int* word, int operation, int value, long move_count = 0, int* other = nullptr, int expected = 0) {
  return syscall(SYS_futex, word, operation, value, move_count, other, expected);
}

void wait() {
  assert(futex(&event, FUTEX_WAIT_PRIVATE, 0) == 0);
  ++passed;
}

int main() {
  std::thread first(wait);
  std::thread second(wait);
  assert(futex(&event, FUTEX_CMP_REQUEUE_PRIVATE, 0, INT_MAX, &turn, 1) == -1 && errno == EAGAIN);
  while (futex(&event, FUTEX_CMP_REQUEUE_PRIVATE, 0, INT_MAX, &turn, 0) == 0) sched_yield();
  assert(passed == 0);
  // One or two have been moved; the other one is moved or still to come.
  long woken = futex(&turn, FUTEX_WAKE_PRIVATE, 1);
  assert(woken == 1);
  while (woken < 2) {
    futex(&event, FUTEX_REQUEUE_PRIVATE, 0, 1, &turn);
    woken += futex(&turn, FUTEX_WAKE_PRIVATE, 1);
    sched_yield();
  }
  first.join();
  second.join();
  assert(passed == 2);
}
