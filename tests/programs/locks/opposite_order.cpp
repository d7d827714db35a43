// expect: deadlock
// Two accounts locked in opposite order by two transfers.
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
  Account savings;
  Account checking;
  std::thread pay([&] { transfer(savings, checking, 10); });
  std::thread save([&] { transfer(checking, savings, 20); });
  pay.join();
  save.join();
}
