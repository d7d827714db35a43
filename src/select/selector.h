// Selector: which tests execute both sides of a pair in different threads.
#pragma once

#include <vector>

#include "select/coverage.h"
#include "select/shared_variable.h"

namespace heddle::select {

struct PairCoverage {
  std::vector<std::vector<uint32_t>> pairs_of;      // per test: indices of the pairs that it covers
  std::vector<std::vector<uint32_t>> variables_of;  // per test: shared variables it executes, in any thread
  std::vector<uint32_t> uncovered;                  // pairs that no test covers
};

struct SelectorOptions {
  // Whether the two sides have to be executed by different threads. Without, as the paper's ablation does,
  // tests that execute both in one thread are kept as well.
  bool by_thread = true;
};

PairCoverage cover_pairs(const std::vector<SharedVariable>& variables, const std::vector<OldBlock>& blocks,
                         const std::vector<ImpactedPair>& pairs, const Coverage& coverage,
                         const SelectorOptions& options = {});

}  // namespace heddle::select
