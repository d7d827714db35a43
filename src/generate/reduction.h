// Reduction: the smallest test that shows the same failure.
//
// Calls are taken away one by one, and arguments exchanged for simpler ones, as long as some execution of
// what is left fails in the same way.
#pragma once

#include <cstdint>

#include "generate/concurrent_trial.h"
#include "support/error.h"

namespace heddle::generate {

struct ReductionLimits {
  uint64_t most_tests = 120;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

// The failure of a test that is at most as large.
Expected<TestFailure> reduce(ConcurrentTrial& trial, const OperationTable& operations, TestFailure failure,
                             TrialOptions options, const ReductionLimits& limits);

}  // namespace heddle::generate
