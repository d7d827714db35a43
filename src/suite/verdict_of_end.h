// Whether a test that ended by itself has passed, as CTest judges it.
#pragma once

#include <string>

#include "suite/test_suite.h"

namespace heddle {

struct EndVerdict {
  bool passed = true;  // or there was nothing to test
  std::string why;     // it did not although its exit code is 0; else empty: the exit code says it
};

// `printed`: standard output and error.
EndVerdict judge_end(const SuiteTest& test, int exit_code, const std::string& printed);

}  // namespace heddle
