#include "account_transfer.h"

#include <algorithm>

namespace bank {

Accounts::Accounts(std::size_t count, Cents balance) {
  for (std::size_t i = 0; i < count; ++i) {
    accounts_.push_back(std::make_unique<Account>());
    accounts_.back()->balance = balance;
  }
}

void Accounts::deposit(std::size_t account, Cents amount) {
  Account& to = *accounts_[account];
  const std::lock_guard lock(to.mutex);
  to.balance += amount;
}

bool Accounts::withdraw(std::size_t account, Cents amount) {
  Account& from = *accounts_[account];
  const std::lock_guard lock(from.mutex);
  if (from.balance < amount) return false;
  from.balance -= amount;
  return true;
}

bool Accounts::transfer(std::size_t from, std::size_t to, Cents amount) {
  if (from == to) return true;
  Account& source = *accounts_[from];
  Account& target = *accounts_[to];
  const std::lock_guard first_lock(accounts_[std::min(from, to)]->mutex);
  const std::lock_guard second_lock(accounts_[std::max(from, to)]->mutex);
  if (source.balance < amount) return false;
  source.balance -= amount;
  target.balance += amount;
  ++source.transfers;
  ++target.transfers;
  return true;
}

Cents Accounts::balance(std::size_t account) const {
  const std::lock_guard lock(accounts_[account]->mutex);
  return accounts_[account]->balance;
}

int Accounts::transfers(std::size_t account) const {
  const std::lock_guard lock(accounts_[account]->mutex);
  return accounts_[account]->transfers;
}

Cents Accounts::total() const {
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(accounts_.size());
  Cents total = 0;
  for (const auto& account : accounts_) {
    locks.emplace_back(account->mutex);
    total += account->balance;
  }
  return total;
}

}  // namespace bank
