#include "machines.h"

#include <algorithm>

namespace jobs {

Machines::Machines(int count) {
  for (int machine = 0; machine < count; ++machine) free_.push_back(machine);
}

int Machines::borrow() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return -1;
  const int machine = free_.back();
  free_.pop_back();
  ++lent_;
  return machine;
}

void Machines::give_back(int machine, int seconds) {
  const std::lock_guard lock(mutex_);
  free_.push_back(machine);
  --lent_;
  seconds_ += seconds;
}

std::size_t Machines::idle() const {
  const std::lock_guard lock(mutex_);
  return free_.size();
}

int Machines::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

void EventLog::add(Event event, int job) {
  const std::lock_guard lock(mutex_);
  ++counts_[static_cast<std::size_t>(event)];
  newest_[size_ % newest_.size()] = {event, job};
  ++size_;
}

int EventLog::count(Event event) const {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<std::size_t>(event)];
}

bool EventLog::mentions(int job) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(newest_.begin(), newest_.end(), [&](const Line& line) { return line.job == job; });
}

std::size_t EventLog::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

}  // namespace jobs
