#include "listeners.h"

#include <algorithm>
#include <utility>

namespace lists {

Listeners::Id Listeners::add(Listener listener) {
  const std::lock_guard lock(mutex_);
  registered_.push_back({next_id_, std::move(listener)});
  return next_id_++;
}

bool Listeners::remove(Id id) {
  // Most calls come from destructors whose listener is gone already: no need to wait for the lock.
  const auto found = find(id);
  if (found == registered_.end()) return false;
  const std::lock_guard lock(mutex_);
  registered_.erase(found);
  return true;
}

std::vector<Listeners::Registered>::const_iterator Listeners::find(Id id) const {
  return std::find_if(registered_.begin(), registered_.end(),
                      [id](const Registered& registered) { return registered.id == id; });
}

std::size_t Listeners::count() const {
  const std::lock_guard lock(mutex_);
  return registered_.size();
}

void Listeners::notify(const Change& change) {
  std::vector<Registered> receivers;
  {
    const std::lock_guard lock(mutex_);
    ++notifications_;
    receivers = registered_;
  }
  for (const auto& receiver : receivers) receiver.listener(change);
}

std::uint64_t Listeners::notifications() const {
  const std::lock_guard lock(mutex_);
  return notifications_;
}

}  // namespace lists
