#include "range.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace lang {
namespace {

Range::Number parse_number(const char* begin, const char* end) {
  Range::Number number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end) throw std::invalid_argument("an end of the range is no number");
  return number;
}

}  // namespace

Range::Range(Number one, Number other) : minimum_(std::min(one, other)), maximum_(std::max(one, other)) {}

Range Range::parse(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (text.size() < 6 || text.front() != '[' || text.back() != ']' || dots == std::string::npos) {
    throw std::invalid_argument("a range looks like [1..5]");
  }
  const char* const begin = text.data();
  return between(parse_number(begin + 1, begin + dots),
                 parse_number(begin + dots + 2, begin + text.size() - 1));
}

std::optional<Range> Range::intersection(const Range& other) const {
  if (!overlaps(other)) return std::nullopt;
  return between(std::max(minimum_, other.minimum_), std::min(maximum_, other.maximum_));
}

Range Range::span(const Range& other) const {
  return between(std::min(minimum_, other.minimum_), std::max(maximum_, other.maximum_));
}

Range::Number Range::fit(Number number) const {
  return std::clamp(number, minimum_, maximum_);
}

std::size_t Range::compute_hash() const {
  std::size_t result = 17;
  result = 37 * result + static_cast<std::size_t>(minimum_);
  result = 37 * result + static_cast<std::size_t>(maximum_);
  return result == 0 ? 1 : result;
}

std::string Range::compute_text() const {
  return "[" + std::to_string(minimum_) + ".." + std::to_string(maximum_) + "]";
}

std::size_t Range::hash() const {
  if (hash_ == 0) hash_ = compute_hash();
  return hash_;
}

const std::string& Range::to_string() const {
  if (!text_) text_ = std::make_unique<const std::string>(compute_text());
  return *text_;
}

}  // namespace lang
