#include "suite/runner_arguments.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Lines = std::vector<std::string>;

SuiteTest test_of(const std::string& name, const std::string& ctest, const Lines& argv) {
  SuiteTest test;
  test.name = name;
  test.ctest_name = ctest;
  test.command.argv = argv;
  return test;
}

std::vector<const SuiteTest*> all(const std::vector<SuiteTest>& tests) {
  std::vector<const SuiteTest*> pointers;
  for (const SuiteTest& test : tests) pointers.push_back(&test);
  return pointers;
}

TEST(RunnerArguments, CasesOfOneCTestTestAreOneName) {
  const std::vector<SuiteTest> tests = {
      test_of("Suite.B", "cases", {"/b/c"}), test_of("plain", "plain", {"/b/p"}),
      test_of("Suite.A", "cases", {"/b/c"}), test_of("./own", "", {"./own"})};
  const RunnerArguments names = ctest_names(all(tests));
  EXPECT_EQ(names.lines, (Lines{"cases", "plain"}));
  EXPECT_EQ(names.inexpressible, Lines{"./own"});
}

TEST(RunnerArguments, WhatMeansSomethingToCMakeIsEscaped) {
  EXPECT_EQ(ctest_patterns({"a.b", "c(1)[2]{3}+*?|^$\\"}),
            (Lines{R"(^(a\.b|c\(1\)\[2]{3}\+\*\?\|\^\$\\)$)"}));
}

TEST(RunnerArguments, NoTestsMatchNothing) {
  EXPECT_EQ(ctest_patterns({}), Lines{"^$"});
}

TEST(RunnerArguments, ManyTestsTakeSeveralExpressions) {
  Lines names;
  for (int i = 0; i < 2000; ++i) names.push_back("Suite.case_" + std::to_string(10'000 + i));
  const Lines patterns = ctest_patterns(names);
  EXPECT_EQ(patterns.size(), 2u);
  size_t alternatives = 0;
  for (const std::string& pattern : patterns) {
    EXPECT_TRUE(pattern.starts_with("^(Suite\\.case_") && pattern.ends_with(")$"));
    alternatives += 1 + static_cast<size_t>(std::count(pattern.begin(), pattern.end(), '|'));
  }
  EXPECT_EQ(alternatives, names.size());
  EXPECT_EQ(ctest_patterns(Lines(names.begin(), names.begin() + 1000)).size(), 1u);
}

TEST(RunnerArguments, AProgramOfGoogleTestIsOneLine) {
  const std::vector<SuiteTest> tests = {
      test_of("Suite.B", "cases", {"/b/t/cases", "--fast", "--gtest_filter=Suite.B"}),
      test_of("Other.C", "Other.C",
              {"/b/other", "--gtest_filter=Other.C", "--gtest_also_run_disabled_tests"}),
      test_of("Suite.A", "cases", {"/b/t/cases", "--fast", "--gtest_filter=Suite.A/0"}),
      test_of("most", "most", {"/b/other", "--gtest_also_run_disabled_tests", "--gtest_filter=*-Other.C"}),
      test_of("no such program", "plain", {"/b/plain", "it's"})};
  const RunnerArguments commands = gtest_commands(all(tests), "/b");
  EXPECT_EQ(commands.lines, (Lines{"t/cases --fast --gtest_filter=Suite.B:Suite.A/0",
                                   "./other --gtest_also_run_disabled_tests --gtest_filter=Other.C",
                                   "./other --gtest_also_run_disabled_tests '--gtest_filter=*-Other.C'"}));
  EXPECT_EQ(commands.inexpressible, Lines{"no such program"});
}

}  // namespace
}  // namespace heddle
