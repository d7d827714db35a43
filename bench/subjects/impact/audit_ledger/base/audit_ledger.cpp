#include "audit_ledger.h"

namespace ledger {

void AuditLedger::deposit(std::size_t account, Cents amount) {
  const std::lock_guard lock(mutex_);
  post(account, amount);
}

bool AuditLedger::withdraw(std::size_t account, Cents amount) {
  const std::lock_guard lock(mutex_);
  if (balances_[account] < amount) return false;
  post(account, -amount);
  return true;
}

bool AuditLedger::move(std::size_t from, std::size_t to, Cents amount) {
  std::unique_lock lock(mutex_);
  if (balances_[from] < amount) return false;
  balances_[from] -= amount;
  balances_[to] += amount;
  const Entry taken{from, -amount, balances_[from]};
  const Entry given{to, amount, balances_[to]};
  write(taken);
  write(given);
  return true;
}

Cents AuditLedger::balance(std::size_t account) const {
  const std::lock_guard lock(mutex_);
  return balances_[account];
}

bool AuditLedger::audit() const {
  const std::lock_guard lock(mutex_);
  for (std::size_t account = 0; account < kAccounts; ++account) {
    if (balances_[account] != explained_[account]) return false;
  }
  return true;
}

void AuditLedger::compact(std::size_t account) {
  const std::lock_guard lock(mutex_);
  std::erase_if(journal_, [&](const Entry& entry) { return entry.account == account; });
  journal_.push_back({account, explained_[account], explained_[account]});
}

std::size_t AuditLedger::entries() const {
  const std::lock_guard lock(mutex_);
  return journal_.size();
}

int AuditLedger::postings() const {
  const std::lock_guard lock(mutex_);
  return postings_;
}

void AuditLedger::post(std::size_t account, Cents amount) {
  balances_[account] += amount;
  write({account, amount, balances_[account]});
}

void AuditLedger::write(const Entry& entry) {
  explained_[entry.account] += entry.amount;
  ++postings_;
  journal_.push_back(entry);
}

}  // namespace ledger
