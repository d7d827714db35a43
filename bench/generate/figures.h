// All that one run of the benchmark has measured.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "coverage_growth.h"
#include "failure_search.h"
#include "pruning.h"

namespace heddle::bench {

// What was asked for; figures mean nothing without it.
struct GenerateSettings {
  FailureSearchOptions failures;
  CoverageOptions coverage;
  PruningOptions pruning;
};

struct GenerateFigures {
  std::vector<FailureSearch> failures;
  std::vector<CoverageFigures> coverage;
  std::vector<PruningFigures> pruning;
  std::vector<std::string> troubles;  // what could not be measured, and why
};

}  // namespace heddle::bench
