// A balance is checked and changed within one critical section, by three withdrawals of which one fits.
// Alarms: read, then write, of a value that others change.
// Right: nobody else gets in between, since check and act are under one lock.
#include <cstdio>
#include <mutex>
#include <thread>

class Account {
 public:
  bool withdraw(int amount) {
    std::lock_guard lock(mutex_);
    if (balance_ < amount) return false;
    balance_ -= amount;
    return true;
  }
  int balance() {
    std::lock_guard lock(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

int main() {
  Account account;
  std::thread threads[3];
  for (std::thread& thread : threads) thread = std::thread([&] { account.withdraw(70); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", account.balance());
}
