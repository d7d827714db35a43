// The ways in which a bug is looked for, and what each took.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "bug.h"

namespace heddle::bench {

struct Search {
  bool found = false;
  bool is_over = true;  // false: it did not come to its end within the budget
  uint64_t executions = 0;
  double cpu_seconds = 0;  // without building
};

struct ImpactSearch : Search {
  uint64_t events = 0;    // of the head's execution
  uint64_t impacted = 0;  // of them
  uint64_t explored = 0;  // patterns
  uint64_t explored_of = 0;
  // Whether the functions that the bug is in are among those of what was found.
  bool is_the_bug = false;
};

struct SearchOptions {
  std::filesystem::path heddle;
  std::filesystem::path folder;  // for what they write
  std::string budget = "60s";
  double stress_seconds = 60;  // of CPU
};

Expected<ImpactSearch> search_by_impact(const Bug& bug, const SearchOptions& options);
Expected<Search> search_by_prediction(const Bug& bug, const SearchOptions& options);
Expected<Search> search_at_random(const Bug& bug, const SearchOptions& options);
// The native program again and again, until it fails or hangs.
Expected<Search> search_by_stress(const Bug& bug, const SearchOptions& options);

}  // namespace heddle::bench
