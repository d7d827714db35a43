#include "statements.h"

namespace bank {

void Statements::note(std::size_t account, Cents amount) {
  const std::lock_guard lock(mutex_);
  Statement& statement = statements_[account];
  ++statement.lines;
  (amount < 0 ? statement.paid_out : statement.paid_in) += amount;
  newest_[lines_ % kKept] = amount;
  ++lines_;
}

Statement Statements::of(std::size_t account) const {
  const std::lock_guard lock(mutex_);
  return statements_[account];
}

int Statements::lines() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(lines_);
}

Cents Statements::recent() const {
  const std::lock_guard lock(mutex_);
  Cents sum = 0;
  for (const Cents amount : newest_) sum += amount;
  return sum;
}

bool Directory::enter(std::size_t account, int customer) {
  const std::lock_guard lock(mutex_);
  for (const Owner& owner : owners_) {
    if (owner.account == account) return false;
  }
  owners_.push_back({account, customer});
  return true;
}

bool Directory::remove(std::size_t account) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(owners_, [&](const Owner& owner) { return owner.account == account; }) > 0;
}

std::optional<int> Directory::owner(std::size_t account) const {
  const std::lock_guard lock(mutex_);
  ++lookups_;
  for (const Owner& owner : owners_) {
    if (owner.account == account) return owner.customer;
  }
  return std::nullopt;
}

std::size_t Directory::accounts_of(int customer) const {
  const std::lock_guard lock(mutex_);
  ++lookups_;
  std::size_t accounts = 0;
  for (const Owner& owner : owners_) accounts += owner.customer == customer ? 1 : 0;
  return accounts;
}

}  // namespace bank
