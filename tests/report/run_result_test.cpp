#include "report/run_result.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "golden.h"
#include "sample_traces.h"

namespace heddle {
namespace {

RunResult sample_result() {
  FakeSymbolizer symbolizer = bank_symbols();
  RunResult result;
  result.command = "explore";
  result.seconds = 1.5;
  result.executions = 42;
  result.learning_executions = 3;
  result.findings.push_back(*make_finding(deadlock_trace(), symbolizer));
  result.findings[0].executions_to_find = 17;
  result.findings[0].schedule = "/tmp/bank.schedule";
  result.own["strategy"] = "random";
  return result;
}

TEST(RunResult, Json) {
  expect_golden("run_result.json", to_json(sample_result()).dump(2) + "\n");
}

TEST(RunResult, WithoutFindingsStillHasTheList) {
  nlohmann::ordered_json json = to_json(RunResult{.command = "run"});
  EXPECT_TRUE(json["findings"].is_array());
  EXPECT_TRUE(json["findings"].empty());
  EXPECT_FALSE(json.contains("learning_executions"));
}

TEST(RunResult, WritesAFileThatReadsBack) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "run_result_test.json";
  ASSERT_TRUE(write_json(path.string(), sample_result()));
  std::ifstream input(path);
  EXPECT_EQ(nlohmann::ordered_json::parse(input), to_json(sample_result()));
}

TEST(RunResult, TextThatIsNotUtf8DoesNotBreakTheFile) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "run_result_utf8_test.json";
  RunResult result = sample_result();
  result.findings[0].message = "caf\xe9";
  ASSERT_TRUE(write_json(path.string(), result));
  std::ifstream input(path);
  EXPECT_EQ(nlohmann::json::parse(input)["findings"][0]["message"], "caf\xef\xbf\xbd");
}

TEST(RunResult, SaysWhyItCannotWrite) {
  auto written = write_json("/nonexistent/folder/result.json", sample_result());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("/nonexistent/folder/result.json"), std::string::npos);
}

}  // namespace
}  // namespace heddle
