#include "predict/patterns.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/check.h"

namespace heddle {
namespace {

constexpr PatternStep kRu1{false, false, 0}, kRu2{false, false, 1}, kWu1{false, true, 0},
    kWu2{false, true, 1};
constexpr PatternStep kRv1{true, false, 0}, kRv2{true, false, 1}, kWv1{true, true, 0}, kWv2{true, true, 1};

constexpr std::string_view kLeftInconsistent =
    "{u} and {v} each write both of two values that belong together, and one value of each is left";
constexpr std::string_view kOtherSees =
    "{v} reads two values that belong together, one from before and one from after {u} changes them";
constexpr std::string_view kSees =
    "{u} reads two values that belong together, one from before and one from after {v} changes them";

constexpr AccessPattern kPatterns[] = {
    {1,
     3,
     {kRu1, kWv1, kWu1},
     "{u} writes what it has made of a stale value: {v} has written since (lost update)"},
    {2, 3, {kRu1, kWv1, kRu1}, "{u} reads twice and gets two values: {v} writes between"},
    {3, 3, {kWu1, kRv1, kWu1}, "{v} reads an intermediate value: {u} is not done with it"},
    {4, 3, {kWu1, kWv1, kRu1}, "{u} does not read back what it wrote: {v} writes between"},
    {5, 3, {kWu1, kWv1, kWu1}, "{u} overwrites what {v} has written in the middle of its work: that is lost"},
    {6, 4, {kWu1, kWv1, kWv2, kWu2}, kLeftInconsistent},
    {7, 4, {kWu1, kWv2, kWv1, kWu2}, kLeftInconsistent},
    {8, 4, {kWu1, kWv2, kWu2, kWv1}, kLeftInconsistent},
    {9, 4, {kWu1, kRv1, kRv2, kWu2}, kOtherSees},
    {10, 4, {kWu1, kRv2, kRv1, kWu2}, kOtherSees},
    {11, 4, {kRu1, kWv1, kWv2, kRu2}, kSees},
    {12, 4, {kRu1, kWv2, kWv1, kRu2}, kSees},
    {13, 4, {kRu1, kWv2, kRu2, kWv1}, kSees},
    {14, 4, {kWu1, kRv2, kWu2, kRv1}, kOtherSees},
};

}  // namespace

std::span<const AccessPattern> access_patterns() {
  return kPatterns;
}

const AccessPattern& access_pattern(uint32_t number) {
  HEDDLE_CHECK(number >= 1 && number <= std::size(kPatterns));
  return kPatterns[number - 1];
}

const AccessPattern* find_pattern(std::span<const PatternStep> steps) {
  for (const AccessPattern& pattern : kPatterns)
    if (std::ranges::equal(pattern.accesses(), steps)) return &pattern;
  return nullptr;
}

std::string pattern_text(const AccessPattern& pattern) {
  std::string text;
  for (const PatternStep& step : pattern.accesses()) {
    if (!text.empty()) text += ' ';
    text += step.writes ? 'W' : 'R';
    text += step.is_other ? "u'" : "u";
    text += pattern.length == 3 ? "(l)" : step.location == 0 ? "(l1)" : "(l2)";
  }
  return text;
}

std::string pattern_sentence(uint32_t number, std::string_view u, std::string_view other) {
  return fmt::format(fmt::runtime(access_pattern(number).meaning), fmt::arg("u", u), fmt::arg("v", other));
}

}  // namespace heddle
