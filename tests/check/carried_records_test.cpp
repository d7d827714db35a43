#include "check/carried_records.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

const std::string kBefore = "int f(int n) {\n  return n;\n}\nint g(int n) {\n  n++;\n  return n;\n}\n";

SourceChange change_to(const std::string& after) {
  SourceChange change;
  change.files = {{"a.cpp", "a.cpp"}};
  StatementMap::Files files;
  files.base.push_back(parse_source("a.cpp", kBefore));
  files.head.push_back(parse_source("a.cpp", after));
  change.statements = StatementMap(std::move(files));
  return change;
}

TestRecord record_of(const std::string& function, std::vector<uint32_t> lines) {
  FunctionActivity activity;
  activity.file = "a.cpp";
  activity.function = function;
  activity.thread_sets = {{}};
  for (const uint32_t line : lines) activity.blocks.push_back({line, 1, 0});
  activity.accesses = {{lines.front(), 3, access_kind::kWrite, 0, "n"}};
  TestRecord record;
  record.functions = {std::make_shared<const FunctionActivity>(activity)};
  return record;
}

std::vector<uint32_t> lines_of(const std::optional<TestRecord>& record) {
  std::vector<uint32_t> lines;
  if (record)
    for (const FunctionActivity::Block& block : record->functions[0]->blocks) lines.push_back(block.line);
  return lines;
}

TEST(CarriedRecords, LinesMoveWithTheirStatements) {
  RecordCarrier carrier(change_to("// one\n// more\n" + kBefore));
  const std::optional<TestRecord> carried = carrier.carry(record_of("g", {5, 6, 7}));
  ASSERT_TRUE(carried);
  EXPECT_EQ(lines_of(carried), (std::vector<uint32_t>{7, 8, 9}));
  EXPECT_EQ(carried->functions[0]->accesses[0].line, 7u);
}

TEST(CarriedRecords, AreKeptIfAnotherFunctionHasChanged) {
  RecordCarrier carrier(
      change_to("int f(int n) {\n  n *= 2;\n  return n;\n}\nint g(int n) {\n  n++;\n  return n;\n}\n"));
  EXPECT_FALSE(carrier.carry(record_of("f", {2})));
  EXPECT_EQ(lines_of(carrier.carry(record_of("g", {5, 6}))), (std::vector<uint32_t>{6, 7}));
}

TEST(CarriedRecords, AreOfNoUseIfAFileHasChangedThatTheTestMayRead) {
  SourceChange change = change_to(kBefore);
  change.opaque = {"tests/data.csv"};
  EXPECT_FALSE(RecordCarrier(change).carry(record_of("g", {5})));
  change.opaque = {"README.md"};
  EXPECT_TRUE(RecordCarrier(change).carry(record_of("g", {5})));
}

TEST(CarriedRecords, OtherFilesAreAsTheyWere) {
  RecordCarrier carrier(change_to("// one\n" + kBefore));
  TestRecord record = record_of("g", {5});
  FunctionActivity elsewhere = *record.functions[0];
  elsewhere.file = "b.cpp";
  record.functions = {std::make_shared<const FunctionActivity>(elsewhere)};
  EXPECT_EQ(lines_of(carrier.carry(record)), std::vector<uint32_t>{5});
}

}  // namespace
}  // namespace heddle
