#include "sample_ring.h"

#include <algorithm>

namespace telemetry {

SampleRing::SampleRing(size_t capacity) : samples_(std::clamp(capacity, kLeast, kMost)) {}

void SampleRing::store(int sample) {
  samples_[(first_ + count_) % samples_.size()] = sample;
  ++count_;
}

void SampleRing::push(int sample) {
  {
    const std::lock_guard lock(mutex_);
    if (count_ < samples_.size()) {
      store(sample);
      return;
    }
  }
  const bool has_room_now = pop().has_value();
  const std::lock_guard lock(mutex_);
  store(sample);
  if (has_room_now) ++lost_;
}

std::optional<int> SampleRing::pop() {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return std::nullopt;
  const int sample = read(0);
  first_ = (first_ + 1) % samples_.size();
  --count_;
  return sample;
}

void SampleRing::clear() {
  const std::lock_guard lock(mutex_);
  count_ = 0;
}

std::optional<int> SampleRing::oldest() const {
  return at(0);
}

std::optional<int> SampleRing::latest() const {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return std::nullopt;
  return read(count_ - 1);
}

std::optional<int> SampleRing::at(size_t position) const {
  const std::lock_guard lock(mutex_);
  if (position >= count_) return std::nullopt;
  return read(position);
}

std::vector<int> SampleRing::to_vector() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> all;
  for (size_t i = 0; i < count_; ++i) all.push_back(read(i));
  return all;
}

size_t SampleRing::size() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

bool SampleRing::full() const {
  const std::lock_guard lock(mutex_);
  return count_ == samples_.size();
}

uint64_t SampleRing::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

}  // namespace telemetry
