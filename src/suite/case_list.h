// The cases of a test program of GoogleTest, Catch2 or doctest, found by asking it.
#pragma once

#include <vector>

#include "suite/test_suite.h"

namespace heddle {

// A test for each case of test.program, or `test` itself if it has none that can be run one by one.
std::vector<SuiteTest> cases_of(const SuiteTest& test);

}  // namespace heddle
