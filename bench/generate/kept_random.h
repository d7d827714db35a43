// What random tests of a class have covered, kept in a file: they do not depend on how heddle chooses its
// tests, and take far longer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "coverage_growth.h"
#include "support/error.h"

namespace heddle::bench {

struct Grown {
  CoverageGrowth growth;
  std::vector<uint64_t> keys;  // of the requirements covered; ascending
};

// Nothing if there is none, or it is not readable.
std::optional<Grown> read_kept(const std::filesystem::path& file);
Expected<void> keep(const std::filesystem::path& file, const Grown& grown);

}  // namespace heddle::bench
