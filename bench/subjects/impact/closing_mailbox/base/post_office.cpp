#include "post_office.h"

#include <utility>

namespace mail {

int Shelves::store(int parcel) {
  const std::lock_guard lock(mutex_);
  for (std::size_t shelf = 0; shelf < kShelves; ++shelf) {
    if (parcels_[shelf] != 0) continue;
    parcels_[shelf] = parcel;
    ++stored_;
    return static_cast<int>(shelf);
  }
  return -1;
}

int Shelves::fetch(int shelf) {
  const std::lock_guard lock(mutex_);
  return std::exchange(parcels_[static_cast<std::size_t>(shelf)], 0);
}

std::size_t Shelves::free() const {
  const std::lock_guard lock(mutex_);
  std::size_t free = 0;
  for (const int parcel : parcels_) free += parcel == 0 ? 1 : 0;
  return free;
}

int Shelves::stored() const {
  const std::lock_guard lock(mutex_);
  return stored_;
}

int fewest_stamps(int postage) {
  int fewest = -1;
  for (int of_7 = 0; 7 * of_7 <= postage; ++of_7) {
    for (int of_11 = 0; 7 * of_7 + 11 * of_11 <= postage; ++of_11) {
      const int rest = postage - 7 * of_7 - 11 * of_11;
      if (rest % 23 != 0) continue;
      const int stamps = of_7 + of_11 + rest / 23;
      if (fewest < 0 || stamps < fewest) fewest = stamps;
    }
  }
  return fewest;
}

void Forwarding::set(int from, int to) {
  const std::lock_guard lock(mutex_);
  for (Address& address : addresses_) {
    if (address.from != from) continue;
    address.to = to;
    return;
  }
  addresses_.push_back({from, to});
}

bool Forwarding::cancel(int from) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(addresses_, [&](const Address& address) { return address.from == from; }) > 0;
}

int Forwarding::look_up(int address) const {
  const std::lock_guard lock(mutex_);
  for (const Address& known : addresses_) {
    if (known.from == address) return known.to;
  }
  return address;
}

std::size_t Forwarding::size() const {
  const std::lock_guard lock(mutex_);
  return addresses_.size();
}

}  // namespace mail
