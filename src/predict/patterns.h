// The fourteen access patterns that are not serializable (Vaziri, Tip and Dolby, POPL 2006; Hammer, Dolby,
// Vaziri and Tip, ICSE 2008), as data.
//
// `u` and `u'` are units of work of two threads, l1 and l2 two locations of one atomic set. The accesses of
// the table are in the order that makes the trouble.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

struct PatternStep {
  bool is_other = false;  // by u' rather than u
  bool writes = false;
  uint8_t location = 0;  // 0 for l or l1, 1 for l2

  bool operator==(const PatternStep&) const = default;
};

struct AccessPattern {
  uint32_t number = 0;
  uint32_t length = 0;
  std::array<PatternStep, 4> steps;
  // What it means, with {u} and {v} for the threads.
  std::string_view meaning;

  std::span<const PatternStep> accesses() const { return std::span(steps).first(length); }
};

std::span<const AccessPattern> access_patterns();
// 1 to 14.
const AccessPattern& access_pattern(uint32_t number);

// The pattern with just these accesses; null if there is none.
const AccessPattern* find_pattern(std::span<const PatternStep> steps);

// "Ru(l) Wu'(l) Wu(l)".
std::string pattern_text(const AccessPattern& pattern);

// Pattern 2 of "main/1" and "main/2": "main/1 reads twice and gets two values: main/2 writes between".
std::string pattern_sentence(uint32_t number, std::string_view u, std::string_view other);

}  // namespace heddle
