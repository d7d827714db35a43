// expect: detect none
// expect: predict atomicity pattern 3 harmful in set_balance, check
// A rebooking takes the fee off in one critical section and gives a refund in the next; in between the
// balance is below zero.
// Heddle: pattern 3, another thread sees an intermediate value.
// Passes: under the default schedule, where the check comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int balance = 40;

void set_balance(int amount) {
  std::lock_guard lock(mutex);
  balance = amount;
}

void rebook() {
  set_balance(-20);
  set_balance(30);
}

void check() {
  std::lock_guard lock(mutex);
  assert(balance >= 0);
}

int main() {
  std::thread booker(rebook);
  std::thread checker(check);
  booker.join();
  checker.join();
  std::printf("%d\n", balance);
}
