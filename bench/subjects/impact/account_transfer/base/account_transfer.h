// Accounts with a lock each, and transfers between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace bank {

using Cents = std::int64_t;

struct Account {
  mutable std::mutex mutex;
  Cents balance = 0;
  int transfers = 0;
};

// Where several accounts are locked, that happens in the order of their numbers.
class Accounts {
 public:
  Accounts(std::size_t count, Cents balance);

  void deposit(std::size_t account, Cents amount);

  // False, and nothing happens, if there is not enough.
  bool withdraw(std::size_t account, Cents amount);
  bool transfer(std::size_t from, std::size_t to, Cents amount);

  Cents balance(std::size_t account) const;
  int transfers(std::size_t account) const;

  // What is in all accounts at one moment.
  Cents total() const;

 private:
  std::vector<std::unique_ptr<Account>> accounts_;
};

}  // namespace bank
