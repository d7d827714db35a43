// Transfers to and fro, with deposits and a look at the whole bank between them.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "account_transfer.h"

namespace {

void send_rent(bank::Accounts& accounts) {
  accounts.deposit(0, 10);
  assert(accounts.transfer(0, 1, 30));
  assert(accounts.transfer(1, 2, 10));
  assert(accounts.withdraw(0, 10));
}

void send_back(bank::Accounts& accounts) {
  for (int day = 0; day < 3; ++day) {
    accounts.deposit(2, 5);
    assert(accounts.withdraw(2, 5));
  }
  assert(accounts.transfer(2, 1, 20));
}

void inspect(bank::Accounts& accounts) {
  for (int look = 0; look < 2; ++look) {
    assert(accounts.balance(1) > 0);
    const bank::Cents total = accounts.total();
    assert(total >= 300 && total <= 315);
  }
}

void watch(const bank::Accounts& accounts) {
  const int transfers = accounts.transfers(1);
  assert(accounts.balance(0) >= 70);
  assert(accounts.balance(1) >= 90);
  assert(accounts.transfers(1) >= transfers);
  assert(accounts.balance(0) <= 110);
  assert(accounts.balance(1) <= 150);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<bank::Accounts>(3, 100);
  bank::Accounts& accounts = *owner;

  std::thread watcher([&] { watch(accounts); });
  std::thread tenant([&] { send_rent(accounts); });
  std::thread landlord([&] { send_back(accounts); });
  std::thread inspector([&] { inspect(accounts); });
  watcher.join();
  tenant.join();
  landlord.join();
  inspector.join();

  assert(accounts.total() == 300);
  assert(accounts.transfers(1) == 3);
}
