// What makes the runners that people have execute some tests of a suite, and no others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/test_suite.h"

namespace heddle {

struct RunnerArguments {
  std::vector<std::string> lines;          // in the order of the tests
  std::vector<std::string> inexpressible;  // tests that this runner does not know
};

// CTest's names, each once: many cases of a program may be one test to CTest.
RunnerArguments ctest_names(const std::vector<const SuiteTest*>& tests);

// Expressions for `ctest -R` that match these names and nothing else; more than one if ctest could not read
// them in one. For no names, one that matches nothing: an empty one would match everything.
std::vector<std::string> ctest_patterns(const std::vector<std::string>& names);

// For each program of GoogleTest, a command line for a shell with `--gtest_filter=`. Paths below the build's
// folder are relative to it.
RunnerArguments gtest_commands(const std::vector<const SuiteTest*>& tests,
                               const std::filesystem::path& build);

}  // namespace heddle
