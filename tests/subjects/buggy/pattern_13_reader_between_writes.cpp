// expect: detect none
// expect: predict atomicity pattern 13 harmful in locked_read, locked_write
// An audit reads savings and then cash, a transfer writes cash and then savings, a critical section for each
// access.
// Heddle: pattern 13, the audit sees the money twice.
// Passes: under the default schedule, where the transfer comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Purse {
  std::mutex mutex;
  int savings = 50;
  int cash = 10;
};

Purse purse;

int locked_read(int& field) {
  std::lock_guard lock(purse.mutex);
  return field;
}

void locked_write(int& field, int amount) {
  std::lock_guard lock(purse.mutex);
  field = amount;
}

void audit() {
  const int savings = locked_read(purse.savings);
  const int cash = locked_read(purse.cash);
  assert(savings + cash <= 60);
}

void transfer() {
  locked_write(purse.cash, 40);
  locked_write(purse.savings, 20);
}

int main() {
  std::thread auditor(audit);
  std::thread owner(transfer);
  auditor.join();
  owner.join();
  std::printf("%d\n", purse.savings + purse.cash);
}
