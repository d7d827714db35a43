// Balances of some accounts, and the journal of everything that has changed them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ledger {

using Cents = std::int64_t;

inline constexpr std::size_t kAccounts = 3;

struct Entry {
  std::size_t account = 0;
  Cents amount = 0;
  Cents balance_after = 0;
};

class AuditLedger {
 public:
  void deposit(std::size_t account, Cents amount);

  // False, and nothing happens, if the account has less.
  bool withdraw(std::size_t account, Cents amount);
  bool move(std::size_t from, std::size_t to, Cents amount);

  Cents balance(std::size_t account) const;

  // Whether the journal explains all balances.
  bool audit() const;

  // Replaces the entries of an account by a single one.
  void compact(std::size_t account);

  std::size_t entries() const;
  int postings() const;

 private:
  // Both expect the caller to hold mutex_.
  void post(std::size_t account, Cents amount);
  void write(const Entry& entry);

  mutable std::mutex mutex_;
  int postings_ = 0;
  std::array<Cents, kAccounts> balances_{};
  std::vector<Entry> journal_;
  // What the entries of each account come to.
  std::array<Cents, kAccounts> explained_{};
};

}  // namespace ledger
