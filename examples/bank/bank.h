// A small bank: accounts, transfers between them, an audit, and a ledger that a background worker keeps.
//
// It is correct. What a change makes of it is in next.patch (scripts/demo).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "ledger.h"

namespace bank {

using Cents = int64_t;

// What an account shows at one moment.
struct Statement {
  Cents balance = 0;
  int deposits = 0;
};

class Account {
 public:
  explicit Account(Cents opening) : balance_(opening) {}

  Cents balance() const;
  Statement statement() const;
  void deposit(Cents amount);
  void add_interest(int per_mille);

 private:
  friend class Bank;

  mutable std::mutex mutex_;
  Cents balance_;
  int deposits_ = 0;
};

class Bank {
 public:
  explicit Bank(Ledger& ledger) : ledger_(ledger) {}

  // All accounts are opened before threads start to use the bank.
  Account& open(Cents opening);

  // False if `from` does not hold that much.
  bool transfer(Account& from, Account& to, Cents amount);

  // The sum over all accounts at one moment.
  Cents audit() const;

 private:
  Ledger& ledger_;
  std::vector<std::unique_ptr<Account>> accounts_;
};

}  // namespace bank
