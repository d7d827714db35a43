// The tests of a build, by the names that their frameworks give them.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "change/project.h"
#include "execute/test_command.h"
#include "support/error.h"

namespace heddle {

struct SuiteTest {
  std::string name;     // "stock_two_buyers", "Suite.Case", "binary:Suite.Case" where names would clash
  TestCommand command;  // program, arguments, working directory, environment
  std::string program;  // the executable that decides whether the test has to run again
  std::optional<std::chrono::seconds> timeout;
  bool must_fail = false;                  // CTest's WILL_FAIL
  std::optional<int> skip_code;            // SKIP_RETURN_CODE: it says that there was nothing to test
  std::vector<std::string> pass_patterns;  // PASS_REGULAR_EXPRESSION: what it prints decides, not how it ends
  std::vector<std::string> fail_patterns;  // FAIL_REGULAR_EXPRESSION
  std::vector<std::string> skip_patterns;  // SKIP_REGULAR_EXPRESSION
  std::vector<std::string> labels;
  std::string ctest_name;  // CTest's, which may be that of a program with many cases; empty: CTest has none
  std::string case_name;   // the name before tests of several programs were told apart
};

// What stands in the way of a test that the build names.
struct UnusableTest {
  std::string name;
  std::string why;  // "the program does not exist", "not built with -fsanitize=thread"
};

struct TestSuite {
  std::vector<SuiteTest> tests;  // sorted by name, each name once
  std::vector<UnusableTest> unusable;

  const SuiteTest* find(const std::string& name) const;
  // The same test of another build, where its name may not have clashed with others, or did.
  const SuiteTest* find_same(const SuiteTest& test) const;
};

// Asks CTest (ctest --show-only=json-v1), takes apart programs of GoogleTest, Catch2 and doctest, or takes
// the project's list of commands. No tests at all is an error that says what was looked for.
Expected<TestSuite> discover_tests(const Project& project, const std::filesystem::path& source,
                                   const std::filesystem::path& build);

}  // namespace heddle
