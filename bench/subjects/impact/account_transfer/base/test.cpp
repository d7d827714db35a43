// A day at a bank: transfers to and fro, with deposits, statements, new customers and a look at the whole
// bank between them.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

#include "account_transfer.h"
#include "statements.h"

namespace {

constexpr int kRounds = 6;

struct Bank {
  bank::Accounts accounts{3, 100};
  bank::Statements statements{3};
  bank::Directory directory;
};

// What a customer does online.
void use_online(Bank& bank, int customer) {
  const auto account = static_cast<std::size_t>(10 + customer);
  for (int round = 0; round < kRounds; ++round) {
    assert(bank.directory.enter(account, customer));
    bank.statements.note(static_cast<std::size_t>(round % 3), 7);
    assert(bank.directory.owner(account) == customer);
    bank.statements.note(static_cast<std::size_t>(round % 3), -7);
    assert(bank.directory.accounts_of(customer) == 1);
    assert(bank.statements.of(static_cast<std::size_t>(round % 3)).lines >= 2);
    assert(bank.statements.recent() <= 28);
    assert(bank.directory.remove(account));
  }
  assert(bank.statements.lines() >= 2 * kRounds);
}

void send_rent(Bank& bank) {
  bank.accounts.deposit(0, 10);
  assert(bank.accounts.transfer(0, 1, 30));
  assert(bank.accounts.transfer(1, 2, 10));
  assert(bank.accounts.withdraw(0, 10));
  use_online(bank, 1);
}

void send_back(Bank& bank) {
  use_online(bank, 2);
  bank.accounts.deposit(2, 5);
  assert(bank.accounts.withdraw(2, 5));
  assert(bank.accounts.transfer(2, 1, 20));
}

void watch(Bank& bank) {
  const int transfers = bank.accounts.transfers(1);
  assert(bank.accounts.balance(0) >= 70);
  assert(bank.accounts.balance(1) >= 90);
  use_online(bank, 3);
  assert(bank.accounts.transfers(1) >= transfers);
  assert(bank.accounts.balance(0) <= 110);
  assert(bank.accounts.balance(1) <= 150);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Bank>();
  Bank& bank = *owner;

  std::thread tenant([&] { send_rent(bank); });
  std::thread clerk([&] { use_online(bank, 4); });
  std::thread watcher([&] { watch(bank); });
  std::thread landlord([&] { send_back(bank); });
  tenant.join();
  clerk.join();
  watcher.join();
  landlord.join();

  assert(bank.accounts.total() == 300);
  assert(bank.accounts.transfers(1) == 3);
  assert(bank.statements.lines() == 4 * 2 * kRounds);
  for (std::size_t account = 0; account < 3; ++account) {
    const bank::Statement statement = bank.statements.of(account);
    assert(statement.paid_in + statement.paid_out == 0);
  }
}
