// Times as a user writes them.
#pragma once

#include <chrono>
#include <string>

#include "support/error.h"

namespace heddle {

// "60s", "5m", "1.5h", "500ms"; a bare number is seconds.
Expected<std::chrono::milliseconds> parse_budget(const std::string& text);

}  // namespace heddle
