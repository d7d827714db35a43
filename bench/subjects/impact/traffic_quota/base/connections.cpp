#include "connections.h"

#include <algorithm>

namespace quota {

int Connections::open(int device) {
  const std::lock_guard lock(mutex_);
  open_.push_back({next_number_, device});
  most_ = std::max(most_, open_.size());
  return next_number_++;
}

bool Connections::close(int connection) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(open_, [&](const Connection& open) { return open.number == connection; }) > 0;
}

std::size_t Connections::of_device(int device) const {
  const std::lock_guard lock(mutex_);
  std::size_t connections = 0;
  for (const Connection& open : open_) connections += open.device == device ? 1 : 0;
  return connections;
}

std::size_t Connections::most() const {
  const std::lock_guard lock(mutex_);
  return most_;
}

void Notices::send(Notice notice, int device) {
  const std::lock_guard lock(mutex_);
  ++sent_[static_cast<std::size_t>(notice)];
  last_device_ = device;
}

int Notices::sent(Notice notice) const {
  const std::lock_guard lock(mutex_);
  return sent_[static_cast<std::size_t>(notice)];
}

int Notices::sent() const {
  const std::lock_guard lock(mutex_);
  int sum = 0;
  for (const int sent : sent_) sum += sent;
  return sum;
}

int Notices::last_device() const {
  const std::lock_guard lock(mutex_);
  return last_device_;
}

}  // namespace quota
