#include "bank.h"

namespace bank {

Cents Account::balance() const {
  std::lock_guard lock(mutex_);
  return balance_;
}

Statement Account::statement() const {
  std::lock_guard lock(mutex_);
  return {balance_, deposits_};
}

void Account::deposit(Cents amount) {
  std::lock_guard lock(mutex_);
  balance_ += amount;
  ++deposits_;
}

void Account::add_interest(int per_mille) {
  std::lock_guard lock(mutex_);
  balance_ += balance_ * per_mille / 1000;
}

Account& Bank::open(Cents opening) {
  accounts_.push_back(std::make_unique<Account>(opening));
  return *accounts_.back();
}

bool Bank::transfer(Account& from, Account& to, Cents amount) {
  std::scoped_lock lock(from.mutex_, to.mutex_);
  if (from.balance_ < amount) return false;
  from.balance_ -= amount;
  to.balance_ += amount;
  ledger_.post({amount});
  return true;
}

Cents Bank::audit() const {
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const auto& account : accounts_) locks.emplace_back(account->mutex_);
  Cents sum = 0;
  for (const auto& account : accounts_) sum += account->balance_;
  return sum;
}

}  // namespace bank
