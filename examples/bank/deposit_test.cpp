// Deposits arrive while somebody looks at the account: what it shows belongs together.
#include <cassert>
#include <thread>

#include "bank.h"

int main() {
  bank::Account account(0);

  std::thread customer([&] { account.deposit(50'00); });
  std::thread clerk([&] {
    const bank::Statement shown = account.statement();
    assert(shown.balance == shown.deposits * 50'00);
  });
  customer.join();
  clerk.join();

  assert(account.statement().deposits == 1);
}
