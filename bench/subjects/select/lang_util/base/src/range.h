// A range of whole numbers with both ends in it. Ranges do not change once they are made, so threads may
// share them; hash and text are computed when they are first asked for, and then kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace lang {

class Range {
 public:
  using Number = std::int64_t;

  // The range between the two numbers, whichever is the smaller one.
  static Range between(Number one, Number other) { return Range(one, other); }
  static Range is(Number number) { return Range(number, number); }

  // Reads "[1..5]" as to_string() writes it. Throws std::invalid_argument for anything else.
  static Range parse(const std::string& text);

  Range(const Range& other) : Range(other.minimum_, other.maximum_) {}
  Range& operator=(const Range&) = delete;

  Number minimum() const { return minimum_; }
  Number maximum() const { return maximum_; }

  // How many numbers there are.
  std::uint64_t count() const { return static_cast<std::uint64_t>(maximum_ - minimum_) + 1; }

  bool contains(Number number) const { return minimum_ <= number && number <= maximum_; }
  bool contains(const Range& other) const { return contains(other.minimum_) && contains(other.maximum_); }
  bool is_after(Number number) const { return number < minimum_; }
  bool is_before(Number number) const { return number > maximum_; }
  bool is_after(const Range& other) const { return is_after(other.maximum_); }
  bool is_before(const Range& other) const { return is_before(other.minimum_); }
  bool overlaps(const Range& other) const { return !is_after(other) && !is_before(other); }

  // The numbers that are in both.
  std::optional<Range> intersection(const Range& other) const;

  // The smallest range that has both in it.
  Range span(const Range& other) const;

  // The number of the range that is nearest.
  Number fit(Number number) const;

  bool operator==(const Range& other) const {
    return minimum_ == other.minimum_ && maximum_ == other.maximum_;
  }

  std::size_t hash() const;
  const std::string& to_string() const;

 private:
  Range(Number one, Number other);

  std::size_t compute_hash() const;
  std::string compute_text() const;

  const Number minimum_;
  const Number maximum_;

  // Zero until it is computed; it may be computed by several threads, with the same result.
  mutable std::atomic<std::size_t> hash_{0};

  mutable std::once_flag text_once_;
  mutable std::unique_ptr<const std::string> text_;
};

}  // namespace lang
