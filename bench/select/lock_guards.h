// Where a source takes a lock by a local variable: lock_guard and its kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "source_text.h"

namespace heddle::bench {

// `const std::lock_guard<std::mutex> lock(mutex_);`
struct Guard {
  uint32_t begin = 0;
  uint32_t name = 0;
  uint32_t open = 0;
  uint32_t close = 0;
  uint32_t end = 0;  // the semicolon
};

std::optional<Guard> guard_at(const SourceText& source, uint32_t token);

// Whether a variable of this name is used in the tokens from `first` to `last`.
bool uses(const SourceText& source, std::string_view name, uint32_t first, uint32_t last);

}  // namespace heddle::bench
