#include "branches.h"

#include <algorithm>

namespace ledger {

namespace {

constexpr int kSealRounds = 1 << 15;

std::uint64_t seal_of(int customer, int number) {
  std::uint64_t seal = static_cast<std::uint64_t>(customer) << 32 | static_cast<std::uint32_t>(number);
  for (int round = 0; round < kSealRounds; ++round) {
    seal = (seal ^ (seal >> 29)) * 0xbf58476d1ce4e5b9;
    seal += 0x9e3779b97f4a7c15;
  }
  return seal;
}

}  // namespace

std::size_t Counter::enter(int customer) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(customer);
  return queue_.size() - 1;
}

bool Counter::leave(int customer) {
  const std::lock_guard lock(mutex_);
  if (std::erase(queue_, customer) == 0) return false;
  ++served_;
  return true;
}

std::size_t Counter::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

int Counter::served() const {
  const std::lock_guard lock(mutex_);
  return served_;
}

Receipt write_receipt(int customer, int number) {
  return {customer, number, seal_of(customer, number)};
}

bool is_genuine(const Receipt& receipt) {
  return receipt.seal == seal_of(receipt.customer, receipt.number);
}

void Rates::quote(Currency currency, int rate) {
  const std::lock_guard lock(mutex_);
  rates_[static_cast<std::size_t>(currency)] = rate;
  ++quotes_;
}

int Rates::rate(Currency currency) const {
  const std::lock_guard lock(mutex_);
  return rates_[static_cast<std::size_t>(currency)];
}

std::optional<int> Rates::spread() const {
  const std::lock_guard lock(mutex_);
  int lowest = rates_[0];
  int highest = rates_[0];
  for (const int rate : rates_) {
    if (rate == 0) return std::nullopt;
    lowest = std::min(lowest, rate);
    highest = std::max(highest, rate);
  }
  return highest - lowest;
}

int Rates::quotes() const {
  const std::lock_guard lock(mutex_);
  return quotes_;
}

}  // namespace ledger
