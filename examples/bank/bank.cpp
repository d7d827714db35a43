#include "bank.h"

namespace bank {

Cents Account::balance() const {
  std::lock_guard lock(mutex_);
  return balance_;
}

void Account::set_balance(Cents balance) {
  std::lock_guard lock(mutex_);
  balance_ = balance;
}

void Account::deposit(Cents amount) {
  std::lock_guard lock(mutex_);
  balance_ += amount;
}

// The first mistake: every access is locked, so there is no data race, and yet a deposit that comes between
// the two calls is lost.
void Account::add_interest(int per_mille) {
  const Cents now = balance();
  set_balance(now + now * per_mille / 1000);
}

Account& Bank::open(Cents opening) {
  accounts_.push_back(std::make_unique<Account>(opening));
  return *accounts_.back();
}

// The second mistake: two transfers in opposite directions lock in opposite order.
bool Bank::transfer(Account& from, Account& to, Cents amount) {
  std::lock_guard lock_from(from.mutex_);
  std::lock_guard lock_to(to.mutex_);
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
