#include "labels.h"

namespace codec {

bool Labels::stick(int parcel, int label) {
  const std::lock_guard lock(mutex_);
  for (const Label& stuck : labels_) {
    if (stuck.parcel == parcel) return false;
  }
  labels_.push_back({parcel, label});
  return true;
}

bool Labels::peel_off(int parcel) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(labels_, [&](const Label& stuck) { return stuck.parcel == parcel; }) > 0;
}

int Labels::label(int parcel) const {
  const std::lock_guard lock(mutex_);
  for (const Label& stuck : labels_) {
    if (stuck.parcel == parcel) return stuck.label;
  }
  return 0;
}

std::size_t Labels::size() const {
  const std::lock_guard lock(mutex_);
  return labels_.size();
}

std::size_t Printers::print(int pages) {
  const std::lock_guard lock(mutex_);
  std::size_t least = 0;
  for (std::size_t printer = 1; printer < kPrinters; ++printer) {
    if (pages_[printer] < pages_[least]) least = printer;
  }
  pages_[least] += pages;
  printed_ += pages;
  return least;
}

void Printers::refill(std::size_t printer) {
  const std::lock_guard lock(mutex_);
  pages_.at(printer) = 0;
  ++refills_;
}

int Printers::printed() const {
  const std::lock_guard lock(mutex_);
  return printed_;
}

int Printers::refills() const {
  const std::lock_guard lock(mutex_);
  return refills_;
}

}  // namespace codec
