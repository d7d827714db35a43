// A deposit arrives while interest is paid; in either order the deposit must be on the account.
#include <cassert>
#include <thread>

#include "bank.h"

int main() {
  bank::Account account(100'00);

  std::thread clerk([&] { account.add_interest(10); });
  std::thread customer([&] { account.deposit(50'00); });
  clerk.join();
  customer.join();

  const bank::Cents balance = account.balance();
  assert(balance == 151'00 || balance == 151'50);
}
