#include "suite/ctest_list.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Expected<TestSuite> parse(const std::string& tests) {
  return parse_ctest_list(
      R"({"kind": "ctestInfo", "version": {"major": 1, "minor": 0}, "tests": )" + tests + "}", "/build");
}

Expected<TestSuite> parse_property(const std::string& name, const std::string& value) {
  return parse(R"([{"name": "t", "command": ["/b/t"], "properties": [{"name": ")" + name + R"(", "value": )" +
               value + "}]}]");
}

TEST(CTestList, TestsWithTheirCommandsAndProperties) {
  const Expected<TestSuite> suite = parse(R"([
    {"name": "queue", "command": ["/b/queue_test", "--fast", "a b"], "properties": [
      {"name": "WORKING_DIRECTORY", "value": "/data"},
      {"name": "ENVIRONMENT", "value": ["A=1", "B=x=y", "broken"]},
      {"name": "TIMEOUT", "value": 2.5},
      {"name": "LABELS", "value": ["slow", "io"]},
      {"name": "WILL_FAIL", "value": true}]},
    {"name": "plain", "command": ["/b/plain"]}])");
  ASSERT_TRUE(suite) << suite.error().message;
  ASSERT_EQ(suite->tests.size(), 2u);
  const SuiteTest& queue = suite->tests[0];
  EXPECT_EQ(queue.name, "queue");
  EXPECT_EQ(queue.command.argv, (std::vector<std::string>{"/b/queue_test", "--fast", "a b"}));
  EXPECT_EQ(queue.command.directory, "/data");
  EXPECT_EQ(queue.command.environment,
            (std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", "x=y"}}));
  EXPECT_EQ(queue.timeout, std::chrono::seconds(2));
  EXPECT_EQ(queue.labels, (std::vector<std::string>{"slow", "io"}));
  EXPECT_TRUE(queue.must_fail);
  EXPECT_EQ(suite->tests[1].command.directory, "/build");
  EXPECT_FALSE(suite->tests[1].timeout);
}

TEST(CTestList, WhatWasNotBuiltOrIsDisabledIsUnusable) {
  const Expected<TestSuite> suite = parse(R"([
    {"name": "missing", "properties": []},
    {"name": "off", "command": ["/b/off"], "properties": [{"name": "DISABLED", "value": true}]},
    {"name": "on", "command": ["/b/on"], "properties": [{"name": "DISABLED", "value": false}]}])");
  ASSERT_TRUE(suite);
  ASSERT_EQ(suite->unusable.size(), 2u);
  EXPECT_EQ(suite->unusable[0].name, "missing");
  EXPECT_EQ(suite->unusable[0].why, "its program was not built");
  EXPECT_EQ(suite->unusable[1].why, "it is disabled");
  ASSERT_EQ(suite->tests.size(), 1u);
  EXPECT_EQ(suite->tests[0].name, "on");
}

TEST(CTestList, ExitCodesThatCTestDoesNotTakeForFailures) {
  EXPECT_FALSE(parse("[{\"name\": \"t\", \"command\": [\"/b/t\"]}]")->tests[0].must_fail);
  EXPECT_EQ(parse_property("SKIP_RETURN_CODE", "77")->tests[0].skip_code, 77);
  EXPECT_EQ(parse_property("PASS_REGULAR_EXPRESSION", "[\"ok\"]")->tests[0].pass_patterns,
            std::vector<std::string>{"ok"});
  EXPECT_TRUE(parse_property("WILL_FAIL", "true")->tests[0].must_fail);
}

TEST(CTestList, PropertiesOfAnotherTypeAreLeftOut) {
  for (const char* name : {"WORKING_DIRECTORY", "ENVIRONMENT", "WILL_FAIL", "TIMEOUT", "LABELS", "DISABLED",
                           "SKIP_RETURN_CODE"}) {
    for (const char* value : {"null", "{}", "[1, {}]", "-1.5", "\"text\""}) {
      const Expected<TestSuite> suite = parse_property(name, value);
      ASSERT_TRUE(suite) << name << " " << value;
      ASSERT_EQ(suite->tests.size(), 1u) << name << " " << value;
      EXPECT_FALSE(suite->tests[0].timeout || suite->tests[0].must_fail) << name << " " << value;
    }
  }
}

TEST(CTestList, WhatIsNoListOfTestsIsAnError) {
  for (const char* text :
       {"", "{", "[]", "{}", "null", "No tests were found!!!", R"({"kind": 3, "tests": []})",
        R"({"kind": "other", "tests": []})", R"({"kind": "ctestInfo"})",
        R"({"kind": "ctestInfo", "tests": 5})", R"({"kind": "ctestInfo", "tests": {"a": 1}})"}) {
    const Expected<TestSuite> suite = parse_ctest_list(text, "/build");
    ASSERT_FALSE(suite) << text;
    EXPECT_NE(suite.error().message.find("not a list of tests"), std::string::npos);
  }
}

TEST(CTestList, EntriesThatMakeNoSenseAreNoTests) {
  const Expected<TestSuite> suite = parse(
      R"([1, "x", {"name": 5, "command": 7, "properties": 3}, {"name": "t", "command": ["/b/t"],
          "properties": [4, {"name": 1, "value": 2}, {"name": "TIMEOUT"}]}])");
  ASSERT_TRUE(suite);
  ASSERT_EQ(suite->tests.size(), 1u);
  EXPECT_EQ(suite->tests[0].name, "t");
  EXPECT_EQ(suite->unusable.size(), 1u);
}

}  // namespace
}  // namespace heddle
