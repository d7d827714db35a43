// Two accounts locked together by std::scoped_lock, named in either order.
// Alarms: the acquisitions inside form a cycle in the lock-order graph.
// Right: all but the first are tried, and everything is released before waiting again.
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock lock(from.mutex, to.mutex);
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
