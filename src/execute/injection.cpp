#include "execute/injection.h"

#include <charconv>

#include <fmt/format.h>

namespace heddle {
namespace {

tl::unexpected<Error> cannot_inject(std::string_view word) {
  return usage_error(
      fmt::format("cannot inject '{}': expected a list of wakeups[:N] and allocations[:N], where one "
                  "chance in N is taken, such as wakeups,allocations:1000",
                  word));
}

Expected<void> parse_one(std::string_view word, Injection& injection) {
  const size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const bool wakeups = name == "wakeups";
  if (!wakeups && name != "allocations") return cannot_inject(word);
  uint32_t rate = wakeups ? kDefaultSpuriousWakeups : kDefaultAllocationFailures;
  if (colon != word.npos) {
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + colon + 1, end, rate);
    if (error != std::errc() || stop != end || rate == 0) return cannot_inject(word);
  }
  (wakeups ? injection.spurious_wakeups : injection.allocation_failures) = rate;
  return {};
}

}  // namespace

Expected<Injection> parse_injection(std::string_view text) {
  Injection injection;
  while (true) {
    const size_t comma = text.find(',');
    if (const Expected<void> parsed = parse_one(text.substr(0, comma), injection); !parsed)
      return tl::unexpected(parsed.error());
    if (comma == text.npos) return injection;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace heddle
