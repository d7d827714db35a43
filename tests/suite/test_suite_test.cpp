// The tests of a build from a plain list of commands, and tests found again in another build.
#include "suite/test_suite.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Expected<TestSuite> discover(const Project& project) {
  return discover_tests(project, "/", testing::TempDir());
}

Expected<TestSuite> discover_list(std::vector<std::string> commands) {
  Project project;
  project.test_commands = std::move(commands);
  return discover(project);
}

const std::string kGood = HEDDLE_FAKE_PROGRAM;

TEST(PlainList, EachCommandIsATestUnderItsOwnWords) {
  const Expected<TestSuite> suite = discover_list({kGood + " --b 'x y'", kGood + " --a"});
  ASSERT_TRUE(suite) << suite.error().message;
  ASSERT_EQ(suite->tests.size(), 2u);
  EXPECT_EQ(suite->tests[0].name, kGood + " --a") << "sorted";
  EXPECT_EQ(suite->tests[1].command.argv, (std::vector<std::string>{kGood, "--b", "x y"}));
  EXPECT_EQ(suite->find(kGood + " --a"), &suite->tests[0]);
  EXPECT_EQ(suite->find("other"), nullptr);
}

TEST(PlainList, ACommandThatStandsTwiceIsTwoTests) {
  const Expected<TestSuite> suite = discover_list({kGood, kGood});
  ASSERT_TRUE(suite);
  ASSERT_EQ(suite->tests.size(), 2u);
  EXPECT_EQ(suite->tests[0].name, kGood);
  EXPECT_EQ(suite->tests[1].name, kGood + "#2");
}

TEST(PlainList, WhatCannotBeRunIsToldAndTheRestGoesOn) {
  const Expected<TestSuite> suite = discover_list({"/nowhere/queue_test", kGood, HEDDLE_PLAIN_PROGRAM});
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->tests.size(), 1u);
  ASSERT_EQ(suite->unusable.size(), 2u);
  EXPECT_NE(suite->unusable[0].why.find("does not exist"), std::string::npos) << suite->unusable[0].why;
  EXPECT_NE(suite->unusable[1].why.find("not instrumented"), std::string::npos) << suite->unusable[1].why;
}

TEST(PlainList, WhatRunsUnderHeddleAnywayIsTheTestBehindIt) {
  const Expected<TestSuite> suite = discover_list(
      {"/usr/bin/heddle explore --budget 10s -- " + kGood + " --a -- b", "heddle doctor " + kGood + " -- x"});
  ASSERT_TRUE(suite) << suite.error().message;
  ASSERT_EQ(suite->tests.size(), 1u) << "the other one's program is heddle, which is no test";
  EXPECT_EQ(suite->tests[0].command.argv, (std::vector<std::string>{kGood, "--a", "--", "b"}));
}

TEST(PlainList, BadListsAreErrorsThatSayWhy) {
  const auto message = [](const Expected<TestSuite>& suite) { return suite ? "" : suite.error().message; };
  EXPECT_NE(message(discover_list({"   "})).find("empty command"), std::string::npos);
  EXPECT_NE(message(discover_list({"/nowhere/a"})).find("none of the 1 tests can be run"), std::string::npos);
  Project project;
  project.test_commands = {kGood};
  project.include = {"("};
  EXPECT_NE(message(discover(project)).find("'(' is not a regular expression"), std::string::npos);
  project.include = {"no such test"};
  EXPECT_NE(message(discover(project)).find("no test is left"), std::string::npos);
  project.include = {};
  project.exclude = {"."};
  EXPECT_NE(message(discover(project)).find("no test is left"), std::string::npos);
}

SuiteTest test_of(const std::string& name, const std::string& case_name, const std::string& program) {
  SuiteTest test;
  test.name = name;
  test.case_name = case_name;
  test.program = program;
  return test;
}

TEST(SameTest, IsFoundThoughItsNameHadToBeToldApart) {
  TestSuite base;
  base.tests = {test_of("Queue.Push", "Queue.Push", "/base/queue_test"),
                test_of("Stack.Pop", "Stack.Pop", "/base/s")};
  EXPECT_EQ(base.find_same(test_of("queue_test:Queue.Push", "Queue.Push", "/head/queue_test")),
            &base.tests[0]);
  EXPECT_EQ(base.find_same(test_of("fast_test:Queue.Push", "Queue.Push", "/head/fast_test")), nullptr);
  EXPECT_EQ(base.find_same(test_of("Stack.Pop", "Stack.Pop", "/head/renamed")), &base.tests[1])
      << "a program may have another name";
}

TEST(SameTest, IsNotGuessed) {
  TestSuite base;
  base.tests = {test_of("a/t:X.Y", "X.Y", "/base/a/t"), test_of("t:X.Y#2", "X.Y", "/base/b/t")};
  EXPECT_EQ(base.find_same(test_of("X.Y", "X.Y", "/head/t")), nullptr);
}

}  // namespace
}  // namespace heddle
