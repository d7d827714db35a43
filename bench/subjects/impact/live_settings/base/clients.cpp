#include "clients.h"

#include <algorithm>

namespace settings {

int Clients::come(int client) {
  const std::lock_guard lock(mutex_);
  visits_.push_back({next_ticket_, client});
  most_ = std::max(most_, visits_.size());
  return next_ticket_++;
}

bool Clients::go(int ticket) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(visits_, [&](const Visit& visit) { return visit.ticket == ticket; }) > 0;
}

bool Clients::is_there(int client) const {
  const std::lock_guard lock(mutex_);
  for (const Visit& visit : visits_) {
    if (visit.client == client) return true;
  }
  return false;
}

std::size_t Clients::most() const {
  const std::lock_guard lock(mutex_);
  return most_;
}

void Outcomes::add(Outcome outcome, int milliseconds) {
  const std::lock_guard lock(mutex_);
  ++counts_[static_cast<std::size_t>(outcome)];
  longest_ = std::max(longest_, milliseconds);
}

int Outcomes::count(Outcome outcome) const {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<std::size_t>(outcome)];
}

int Outcomes::sum() const {
  const std::lock_guard lock(mutex_);
  int sum = 0;
  for (const int count : counts_) sum += count;
  return sum;
}

int Outcomes::longest() const {
  const std::lock_guard lock(mutex_);
  return longest_;
}

}  // namespace settings
