// What customers see of their accounts: statements of them, and a directory of their owners.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "account_transfer.h"

namespace bank {

struct Statement {
  int lines = 0;
  Cents paid_in = 0;
  Cents paid_out = 0;
};

class Statements {
 public:
  explicit Statements(std::size_t accounts) : statements_(accounts) {}

  // Notes what was paid in or, below zero, paid out.
  void note(std::size_t account, Cents amount);

  Statement of(std::size_t account) const;
  int lines() const;

  // The sum of the newest lines of all accounts, as far as they are kept.
  Cents recent() const;

 private:
  static constexpr std::size_t kKept = 4;

  mutable std::mutex mutex_;
  std::vector<Statement> statements_;
  std::array<Cents, kKept> newest_{};
  std::size_t lines_ = 0;
};

class Directory {
 public:
  // False if the account has an owner already.
  bool enter(std::size_t account, int customer);
  bool remove(std::size_t account);

  std::optional<int> owner(std::size_t account) const;
  std::size_t accounts_of(int customer) const;

 private:
  struct Owner {
    std::size_t account = 0;
    int customer = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Owner> owners_;
  mutable int lookups_ = 0;
};

}  // namespace bank
