// An auditor compares balances and journal when the bank opens; a customer sends money after some business at
// the counter. All of them wait there, look at the rates and get receipts.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <optional>
#include <thread>

#include "audit_ledger.h"
#include "branches.h"

namespace {

constexpr int kVisits = 10;
constexpr int kForms = 40;

struct Bank {
  ledger::AuditLedger ledger;
  ledger::Counter counter;
  ledger::Rates rates;
};

void visit(Bank& bank, int customer) {
  for (int visit = 0; visit < kVisits; ++visit) {
    assert(bank.counter.enter(customer) < 4);
    bank.rates.quote(ledger::Currency::dollar, 90 + customer);
    assert(bank.counter.waiting() >= 1);
    bank.rates.quote(visit % 2 == 0 ? ledger::Currency::pound : ledger::Currency::yen, 80 + customer);
    if (const std::optional<int> spread = bank.rates.spread()) assert(*spread <= 14);
    assert(bank.rates.rate(ledger::Currency::dollar) > 90);
    assert(ledger::is_genuine(ledger::write_receipt(customer, visit)));
    assert(bank.counter.leave(customer));
    assert(bank.counter.served() > visit);
    assert(bank.rates.quotes() >= 2 * visit);
  }
}

void pay_in(Bank& bank) {
  for (int day = 0; day < 3; ++day) {
    bank.ledger.deposit(1, 20);
    assert(bank.ledger.withdraw(1, 5));
  }
  bank.ledger.compact(1);
  visit(bank, 1);
}

void send(Bank& bank) {
  for (int form = 0; form < kForms; ++form)
    assert(ledger::is_genuine(ledger::write_receipt(2, kVisits + form)));
  assert(bank.ledger.move(0, 2, 30));
  visit(bank, 2);
}

void inspect(Bank& bank) {
  const int postings = bank.ledger.postings();
  assert(bank.ledger.balance(0) >= 70);
  assert(bank.ledger.balance(1) >= 0);
  assert(bank.ledger.audit());
  visit(bank, 3);
  assert(bank.ledger.balance(0) <= 100);
  assert(bank.ledger.balance(1) <= 60);
  assert(bank.ledger.postings() >= postings);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Bank>();
  Bank& bank = *owner;
  bank.ledger.deposit(0, 100);

  std::thread auditor([&] { inspect(bank); });
  std::thread merchant([&] { pay_in(bank); });
  std::thread visitor([&] { visit(bank, 4); });
  std::thread customer([&] { send(bank); });
  auditor.join();
  merchant.join();
  visitor.join();
  customer.join();

  assert(bank.ledger.balance(0) == 70);
  assert(bank.ledger.balance(1) == 45);
  assert(bank.ledger.balance(2) == 30);
  assert(bank.ledger.entries() == 4);
  assert(bank.ledger.postings() == 9);
  assert(bank.ledger.audit());
  assert(bank.counter.waiting() == 0);
  assert(bank.counter.served() == 4 * kVisits);
}
