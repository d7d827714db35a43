// The tables of the benchmark.
#pragma once

#include <string>
#include <vector>

#include "figures.h"

namespace heddle::bench {

std::string print_first_failures(const std::vector<FailureSearch>& searches, bool markdown);
// Every failing test, in a line of its own.
std::string print_failing_tests(const std::vector<FailureSearch>& searches);
std::string print_tests(const std::vector<FailureSearch>& searches, bool markdown);
std::string print_code(const std::vector<FailureSearch>& searches, bool markdown);
std::string print_coverage(const std::vector<CoverageFigures>& rows, const CoverageOptions& options,
                           bool markdown);
std::string print_pruning(const std::vector<PruningFigures>& rows, bool markdown);

}  // namespace heddle::bench
