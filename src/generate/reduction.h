// Reduction: the smallest test that shows the same failure.
//
// Calls are taken away one by one, and arguments exchanged for simpler ones, as long as some execution of
// what is left fails in the same way.
#pragma once

#include <cstdint>

#include "generate/concurrent_trial.h"
#include "support/error.h"

namespace heddle::generate {

// The failure of a test that is at most as large; after `most_tests` trials, or the time of their options, it
// is what has been reached.
Expected<TestFailure> reduce(ConcurrentTrial& trial, const OperationTable& operations, TestFailure failure,
                             const TrialOptions& options, uint64_t most_tests = 120);

}  // namespace heddle::generate
