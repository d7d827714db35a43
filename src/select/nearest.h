// Nearest: tests for a change that none was seen to meet.
//
// The history is one execution of each test. What a test does only under another schedule, such as waiting
// for something that mostly is there, is not in it. So if no test at all is known to execute a changed access
// as its pairs want it, those that come nearest are taken: they execute what decides about it, in different
// threads.
#pragma once

#include <vector>

#include "select/coverage.h"
#include "select/impact.h"
#include "select/selector.h"

namespace heddle::select {

struct NearTest {
  TestIndex test = 0;
  uint32_t pair = 0;  // that it comes near to
};

// A few for each function, those with most threads; none that covers a pair.
std::vector<NearTest> nearest_tests(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs,
                                    const PairCoverage& covered, const Coverage& coverage);

}  // namespace heddle::select
