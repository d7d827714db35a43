// Two customers pay each other at the same time; no money may appear or vanish.
#include <cassert>
#include <thread>

#include "bank.h"

int main() {
  bank::Ledger ledger;
  bank::Bank bank(ledger);
  bank::Account& alice = bank.open(100'00);
  bank::Account& bob = bank.open(100'00);

  std::thread alice_pays([&] { bank.transfer(alice, bob, 30'00); });
  std::thread bob_pays([&] { bank.transfer(bob, alice, 20'00); });
  alice_pays.join();
  bob_pays.join();

  assert(bank.audit() == 200'00);
  assert(alice.balance() == 90'00);
  assert(ledger.settle() == 50'00);
}
