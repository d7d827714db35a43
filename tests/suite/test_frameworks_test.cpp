#include "suite/test_frameworks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

std::vector<std::string> lines(TestFramework framework, const std::string& printed) {
  std::vector<std::string> result;
  for (const TestCase& one : parse_list(framework, printed)) {
    std::string line = one.name + " |";
    for (const std::string& argument : one.arguments) line += " " + argument;
    result.push_back(line);
  }
  return result;
}
using Lines = std::vector<std::string>;

TEST(GoogleTestList, CasesUnderTheirSuites) {
  EXPECT_EQ(
      lines(TestFramework::kGoogleTest,
            "Running main() from gtest_main.cc\nQueue.\n  Push\n  DISABLED_Slow\nAll/Sizes.\n"
            "  Fits/0  # GetParam() = 1\n  Fits/1  # GetParam() = 2\nTyped/0.  # TypeParam = int\n  Grows\n"
            "DISABLED_Old.\n  Case\n"),
      (Lines{"Queue.Push | --gtest_filter=Queue.Push", "All/Sizes.Fits/0 | --gtest_filter=All/Sizes.Fits/0",
             "All/Sizes.Fits/1 | --gtest_filter=All/Sizes.Fits/1",
             "Typed/0.Grows | --gtest_filter=Typed/0.Grows"}));
}

TEST(GoogleTestList, WhatMainPrintsBesideIsNoCase) {
  EXPECT_EQ(lines(TestFramework::kGoogleTest,
                  "loading...\n  config.ini\nSeed is 5.\n  done\r\nQueue.\r\n  Push\r\n"),
            (Lines{"Queue.Push | --gtest_filter=Queue.Push"}));
  EXPECT_TRUE(lines(TestFramework::kGoogleTest, "").empty());
  EXPECT_TRUE(lines(TestFramework::kGoogleTest, "usage: queue [--fast]\n").empty());
}

TEST(Catch2List, OneNameALineWithItsSpecialCharactersEscaped) {
  const std::string printed = "adds, numbers\nqueue [fast]\n\nsays \"hi\"\n";
  const Lines expected{"adds, numbers | adds\\, numbers", "queue [fast] | queue \\[fast\\]",
                       "says \"hi\" | says \\\"hi\\\""};
  EXPECT_EQ(lines(TestFramework::kCatch2, printed), expected);
  EXPECT_EQ(lines(TestFramework::kCatch2Old, printed), expected);
  EXPECT_EQ(lines(TestFramework::kCatch2Old, "\"#12 works\"\n"), (Lines{"#12 works | #12 works"}));
  EXPECT_TRUE(lines(TestFramework::kCatch2, "\n\n").empty());
}

TEST(Catch2List, Version2EndsWithTheNumberOfCases) {
  EXPECT_TRUE(has_listed(TestFramework::kCatch2Old, {.exit_code = 3}));
  EXPECT_FALSE(has_listed(TestFramework::kCatch2Old, {.signal = 6}));
  EXPECT_FALSE(has_listed(TestFramework::kCatch2Old, {.timed_out = true}));
  EXPECT_FALSE(has_listed(TestFramework::kCatch2, {.exit_code = 3}));
  EXPECT_TRUE(has_listed(TestFramework::kCatch2, {}));
}

TEST(DoctestList, NamesBetweenTheRulers) {
  const std::string ruler(79, '=');
  EXPECT_EQ(lines(TestFramework::kDoctest,
                  "[doctest] listing all test case names\n" + ruler + "\nadds, numbers\nkeeps *\n" + ruler +
                      "\n[doctest] unskipped test cases passing the current filters: 2\n"),
            (Lines{"adds, numbers | --test-case=adds\\, numbers", "keeps * | --test-case=keeps \\*"}));
  EXPECT_TRUE(lines(TestFramework::kDoctest, "no ruler\n").empty());
}

TEST(TestFrameworks, AreToldByWhatTheProgramContains) {
  std::string name = testing::TempDir() + "/framework-XXXXXX";
  const int fd = ::mkstemp(name.data());
  ASSERT_GE(fd, 0);
  ::close(fd);
  const auto framework = [&](const std::string& content, const std::vector<std::string>& arguments = {}) {
    std::ofstream(name) << content;
    return framework_of(name, arguments);
  };
  EXPECT_EQ(framework("..gtest_list_tests.."), TestFramework::kGoogleTest);
  EXPECT_EQ(framework(".._ZN5Catch7Session.."), TestFramework::kCatch2);
  EXPECT_EQ(framework(".._ZN5Catch7Session..list-test-names-only"), TestFramework::kCatch2Old);
  EXPECT_EQ(framework(".._ZN7doctest7Context.."), TestFramework::kDoctest);
  EXPECT_EQ(framework("int main"), TestFramework::kNone);
  EXPECT_EQ(framework("..gtest_list_tests..", {"--gtest_filter=A.B"}), TestFramework::kNone)
      << "somebody has chosen cases already";
  EXPECT_EQ(framework("..gtest_list_tests..", {"--data", "x"}), TestFramework::kGoogleTest);
  EXPECT_EQ(framework(".._ZN5Catch7Session..", {"[fast]"}), TestFramework::kNone);
  EXPECT_EQ(framework(".._ZN7doctest7Context..", {"--test-case=a"}), TestFramework::kNone);
  std::filesystem::remove(name);
  EXPECT_EQ(framework_of(name, {}), TestFramework::kNone);
}

}  // namespace
}  // namespace heddle
