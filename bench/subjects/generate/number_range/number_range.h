// NumberRange: all integers from one to another, both included.
#pragma once

#include <cstdint>
#include <string>

namespace measures {

// Ranges never change, so any number of threads can use one without a lock.
class NumberRange {
 public:
  explicit NumberRange(int64_t value) : NumberRange(value, value) {}
  // In either order.
  NumberRange(int64_t one, int64_t other);

  int64_t minimum() const { return minimum_; }
  int64_t maximum() const { return maximum_; }
  bool is_single() const { return minimum_ == maximum_; }

  bool contains(int64_t value) const { return minimum_ <= value && value <= maximum_; }
  bool contains(const NumberRange& other) const;
  bool overlaps(const NumberRange& other) const;
  bool is_before(int64_t value) const { return maximum_ < value; }
  bool is_after(int64_t value) const { return minimum_ > value; }
  // The nearest number in the range.
  int64_t clamp(int64_t value) const;

  uint64_t hash() const;
  // "3..17"
  std::string to_string() const;

  bool operator==(const NumberRange& other) const;

 private:
  int64_t minimum_;
  int64_t maximum_;
  // Made when they are asked for the first time.
  mutable uint64_t hash_ = 0;
  mutable std::string text_;
};

}  // namespace measures
