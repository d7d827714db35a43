// Two accounts with a lock each; whoever needs both takes the first one first.
// Alarms: two fields under two locks, so a two-field update may be seen half done.
// Right: transfer and audit hold both locks at once, and always take them in the same order.
#include <cstdio>
#include <mutex>
#include <thread>

struct Accounts {
  std::mutex first_lock;
  std::mutex second_lock;
  int first = 50;
  int second = 50;
};

Accounts accounts;
int audited = 0;

void transfer(int amount) {
  std::lock_guard outer(accounts.first_lock);
  std::lock_guard inner(accounts.second_lock);
  accounts.first -= amount;
  accounts.second += amount;
}

void audit() {
  std::lock_guard outer(accounts.first_lock);
  std::lock_guard inner(accounts.second_lock);
  audited = accounts.first + accounts.second;
}

int main() {
  std::thread payer(transfer, 20);
  std::thread auditor(audit);
  payer.join();
  auditor.join();
  std::printf("%d: %d and %d\n", audited, accounts.first, accounts.second);
}
