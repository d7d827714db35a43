// expect: assertion
// message: balance >= 0
// optimize: -O0 -O2
// The balance is checked under the lock and changed under the lock, but not under one and the same.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int balance = 100;

bool covers(int amount) {
  std::lock_guard lock(mutex);
  return balance >= amount;
}

void withdraw(int amount) {
  if (!covers(amount)) return;
  std::lock_guard lock(mutex);
  balance -= amount;
  assert(balance >= 0);
}

int main() {
  std::thread other(withdraw, 70);
  withdraw(70);
  other.join();
}
