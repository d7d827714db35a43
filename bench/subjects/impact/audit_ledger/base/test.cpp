// Customers come and go while an auditor compares balances and journal.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "audit_ledger.h"

namespace {

void pay_in(ledger::AuditLedger& ledger) {
  for (int day = 0; day < 3; ++day) {
    ledger.deposit(1, 20);
    assert(ledger.withdraw(1, 5));
  }
  ledger.compact(1);
}

void inspect(const ledger::AuditLedger& ledger) {
  assert(ledger.audit());
  const int postings = ledger.postings();
  assert(ledger.balance(0) >= 70);
  assert(ledger.balance(1) >= 0);
  assert(ledger.audit());
  assert(ledger.balance(0) <= 100);
  assert(ledger.balance(1) <= 50);
  assert(ledger.postings() >= postings);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<ledger::AuditLedger>();
  ledger::AuditLedger& ledger = *owner;
  ledger.deposit(0, 100);

  std::thread auditor([&] { inspect(ledger); });
  std::thread customer([&] { assert(ledger.move(0, 2, 30)); });
  std::thread merchant([&] { pay_in(ledger); });
  auditor.join();
  customer.join();
  merchant.join();

  assert(ledger.balance(0) == 70);
  assert(ledger.balance(1) == 45);
  assert(ledger.balance(2) == 30);
  assert(ledger.entries() == 4);
  assert(ledger.postings() == 9);
  assert(ledger.audit());
}
