// expect: detect deadlock any in transfer, transfer
// expect: predict deadlock harmful in transfer, transfer
// Two transfers lock the same two accounts, each its own one first.
// Heddle: a lock-order cycle that is possible, and the schedule that makes it a deadlock.
// Passes: under the default schedule, where one transfer follows the other.
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard lock_from(from.mutex);
  std::lock_guard lock_to(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account mine;
  Account yours;
  std::thread there([&] { transfer(mine, yours, 30); });
  std::thread back([&] { transfer(yours, mine, 10); });
  there.join();
  back.join();
  std::printf("%d %d\n", mine.balance, yours.balance);
}
