#include "number_range.h"

#include <algorithm>

namespace measures {

NumberRange::NumberRange(int64_t one, int64_t other)
    : minimum_(std::min(one, other)), maximum_(std::max(one, other)) {}

bool NumberRange::contains(const NumberRange& other) const {
  return minimum_ <= other.minimum_ && other.maximum_ <= maximum_;
}

bool NumberRange::overlaps(const NumberRange& other) const {
  return other.contains(minimum_) || contains(other.minimum_);
}

int64_t NumberRange::clamp(int64_t value) const {
  return std::clamp(value, minimum_, maximum_);
}

uint64_t NumberRange::hash() const {
  if (hash_ == 0) {
    hash_ = 17;
    hash_ = 37 * hash_ + static_cast<uint64_t>(minimum_);
    hash_ = 37 * hash_ + static_cast<uint64_t>(maximum_);
  }
  return hash_;
}

std::string NumberRange::to_string() const {
  if (text_.empty()) {
    text_ = std::to_string(minimum_);
    text_ += "..";
    text_ += std::to_string(maximum_);
  }
  return text_;
}

bool NumberRange::operator==(const NumberRange& other) const {
  return minimum_ == other.minimum_ && maximum_ == other.maximum_;
}

}  // namespace measures
