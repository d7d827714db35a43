// How important a message is.
#pragma once

#include <optional>
#include <string>

namespace logging {

// A threshold of kAll lets everything pass, kOff nothing.
enum class Level { kAll, kTrace, kDebug, kInfo, kWarning, kError, kFatal, kOff };

const char* name_of(Level level);

// Reads a name in any mixture of upper and lower case.
std::optional<Level> parse_level(const std::string& name);

// Whether a message passes a threshold.
constexpr bool passes(Level message, Level threshold) {
  return threshold != Level::kOff && message >= threshold;
}

}  // namespace logging
