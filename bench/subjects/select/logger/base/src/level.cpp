#include "level.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace logging {
namespace {

const char* const kNames[] = {"ALL", "TRACE", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL", "OFF"};

}  // namespace

const char* name_of(Level level) {
  return kNames[static_cast<int>(level)];
}

std::optional<Level> parse_level(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto found = std::find(std::begin(kNames), std::end(kNames), upper);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<Level>(found - std::begin(kNames));
}

}  // namespace logging
