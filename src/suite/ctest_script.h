// Tests as a script that CTest includes (TEST_INCLUDE_FILES): how a program's cases become tests of CMake.
#pragma once

#include <string>
#include <vector>

#include "suite/test_suite.h"

namespace heddle {

struct CTestScriptOptions {
  std::string prefix;                // of the tests' names
  std::vector<std::string> command;  // that executes a test's own command line, which follows it
  std::vector<std::string> labels;
};

std::string ctest_script(const std::vector<SuiteTest>& tests, const CTestScriptOptions& options);

}  // namespace heddle
