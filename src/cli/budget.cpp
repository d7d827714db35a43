#include "cli/budget.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace heddle {

Expected<std::chrono::milliseconds> parse_budget(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stop, static_cast<size_t>(end - stop));
  const double seconds = unit == "ms"                  ? number / 1000
                         : unit == "s" || unit.empty() ? number
                         : unit == "m"                 ? number * 60
                         : unit == "h"                 ? number * 3600
                                                       : -1;
  constexpr double kLongest = 1e9;
  if (error != std::errc() || !(seconds >= 0.001) || seconds > kLongest) {
    return usage_error(fmt::format(
        "'{}' is no budget: write a time above 0 with its unit, such as 500ms, 60s, 5m or 1h", text));
  }
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

}  // namespace heddle
