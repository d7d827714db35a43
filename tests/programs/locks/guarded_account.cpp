// expect: ok
// optimize: -O0 -O2
// Transfers in one global order of locks, with the sum checked by an auditor in between.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};
Account accounts[2];

void transfer(int from, int to, int amount) {
  std::lock_guard lock_low(accounts[0].mutex);
  std::lock_guard lock_high(accounts[1].mutex);
  if (accounts[from].balance < amount) return;
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
}

int main() {
  std::thread pay(transfer, 0, 1, 70);
  std::thread pay_back(transfer, 1, 0, 150);
  {
    std::lock_guard lock_low(accounts[0].mutex);
    std::lock_guard lock_high(accounts[1].mutex);
    assert(accounts[0].balance + accounts[1].balance == 200);
    assert(accounts[0].balance >= 0 && accounts[1].balance >= 0);
  }
  pay.join();
  pay_back.join();
}
