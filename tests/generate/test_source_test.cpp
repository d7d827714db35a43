// What generated tests look like.
#include "generate/test_source.h"

#include <gtest/gtest.h>

#include "model_class.h"

namespace heddle::generate {
namespace {

ClassModel counter() {
  ClassModel model;
  model.name = model.spelled = "demo::Counter";
  Callable constructor;
  constructor.kind = CallableKind::kConstructor;
  constructor.name = "Counter";
  constructor.result = "demo::Counter";
  model.constructors = {constructor};
  for (const char* name : {"add", "take", "get", "reset"}) {
    Callable method;
    method.name = name;
    model.methods.push_back(method);
  }
  return model;
}

OperationTable operations() {
  OperationTable table = model_operations();
  for (Operation& operation : table.operations)
    if (!operation.is_constructor) operation.code = "object." + operation.label;
  table.operations[0].code = "(2)";
  return table;
}

SequentialOrder order_of(const std::vector<std::string>& results) {
  SequentialOrder order;
  for (const std::string& text : results) {
    CallResult result;
    result.begun = result.ended = 1;
    result.threw = text.starts_with("threw");
    result.text = text;
    order.run.results.push_back(result);
  }
  return order;
}

TestCase two_adds() {
  TestCase test;
  test.name = "AddWithAdd";
  test.plan = {.constructor = kMake, .before = {kReset}, .threads = {{kAdd}, {kAdd}}, .after = {kGet}};
  test.shows = trace::OutcomeKind::kAtomicity;
  test.right.orders = {order_of({"0", "1", "2", "2"}), order_of({"0", "2", "1", "2"})};
  test.right.stable = {true, true, true, true};
  return test;
}

std::string text_of(const TestCase& test, const ClassModel& model, const OperationTable& table) {
  return test_file({test}, model, table, {.headers = {"counter.h"}, .suite = "CounterConcurrency"});
}

TEST(TestSource, ReadsAsAPersonWouldWriteIt) {
  TestCase test = two_adds();
  test.remarks = {"Two at the same time.", "", "As follows."};
  EXPECT_EQ(
      text_of(test, counter(), operations()),
      R"(// Compiled by `heddle c++`, with what the class needs and -lgtest_main -lgtest. Each test executes its
// body under many schedules, and fails with the first one that does.
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <heddle/heddle.h>
#include <heddle/outcome.h>

#include "counter.h"

// Two at the same time.
//
// As follows.
HEDDLE_TEST(CounterConcurrency, AddWithAdd) {
  demo::Counter object(2);
  (void)object.reset();

  std::string add_result, add_result_2;
  std::thread first([&] { add_result = HEDDLE_OUTCOME(object.add()); });
  std::thread second([&] { add_result_2 = HEDDLE_OUTCOME(object.add()); });
  first.join();
  second.join();
  const std::string get_afterwards = HEDDLE_OUTCOME(object.get());

  // What the calls give one after the other, in every order that keeps those of a thread in theirs.
  const std::vector<std::vector<std::string>> in_some_order = {
      {"1", "2", "2"},
      {"2", "1", "2"},
  };
  const std::vector<std::string> results = {add_result, add_result_2, get_afterwards};
  EXPECT_PRED2(heddle::is_one_of, results, in_some_order);
}
)");
}

TEST(TestSource, ARaceNeedsNoResults) {
  TestCase test = two_adds();
  test.shows = trace::OutcomeKind::kRace;
  test.detects_races = true;
  test.policy = "pct:2";
  test.executions = 500;
  const std::string text = text_of(test, counter(), operations());
  EXPECT_NE(text.find("HEDDLE_TEST_WITH(CounterConcurrency, AddWithAdd, {.policy = \"pct:2\", .executions = "
                      "500, .detect_races = true}) {"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("std::thread first([&] { (void)object.add(); });"), std::string::npos) << text;
  EXPECT_EQ(text.find("in_some_order"), std::string::npos);
  EXPECT_NE(text.find("  second.join();\n  (void)object.get();\n"), std::string::npos)
      << "what fails may be what comes afterwards" << text;
}

TEST(TestSource, CallsThatThrowInSomeOrderAreCaught) {
  TestCase test = two_adds();
  test.shows = trace::OutcomeKind::kDeadlock;
  test.right.orders[1].run.results[1].threw = true;
  const std::string text = text_of(test, counter(), operations());
  EXPECT_NE(text.find("first([&] { HEDDLE_OUTCOME(object.add()); });"), std::string::npos) << text;
  EXPECT_NE(text.find("second([&] { (void)object.add(); });"), std::string::npos) << text;
}

TEST(TestSource, ResultsThatAreNeverTheSameAreNotCompared) {
  TestCase test = two_adds();
  test.right.stable[2] = false;
  const std::string text = text_of(test, counter(), operations());
  EXPECT_NE(text.find("second([&] { (void)object.add(); });"), std::string::npos) << text;
  EXPECT_NE(text.find("{\"1\", \"2\"},"), std::string::npos) << text;
  EXPECT_NE(text.find("results = {add_result, get_afterwards};"), std::string::npos) << text;
}

TEST(TestSource, ResultsThatOtherCallsTakeHaveNames) {
  OperationTable table = operations();
  table.operations[static_cast<uint32_t>(kTake)].code = "object.take($0)";
  table.operations[static_cast<uint32_t>(kTake)].needs = {0};
  TestCase test = two_adds();
  test.plan.before = {kAdd};
  test.plan.threads = {{kTake}, {kAdd, kTake}};
  test.right.orders = {order_of({"1", "1", "2", "2", "2"})};
  test.right.stable.assign(5, true);
  const std::string text = text_of(test, counter(), table);
  EXPECT_NE(text.find("auto add_1 = object.add();"), std::string::npos) << text;
  EXPECT_NE(text.find("take_result = HEDDLE_OUTCOME(object.take(add_1));"), std::string::npos) << text;
  EXPECT_NE(text.find("    auto add_2 = object.add();\n    add_result = heddle::text_of(add_2);\n"
                      "    take_result_2 = HEDDLE_OUTCOME(object.take(add_2));"),
            std::string::npos)
      << text;
}

TEST(TestSource, WhatAFactoryGivesIsHeld) {
  ClassModel model = counter();
  model.constructors[0].result = "std::unique_ptr<demo::Counter>";
  OperationTable table = operations();
  table.operations[0].code = " = demo::make_counter(2)";
  const std::string held = text_of(two_adds(), model, table);
  EXPECT_NE(held.find("  auto object_owner = demo::make_counter(2);\n  auto& object = *object_owner;\n"),
            std::string::npos)
      << held;
  model.constructors[0].result = "demo::Counter&";
  const std::string referred = text_of(two_adds(), model, table);
  EXPECT_NE(referred.find("  auto& object = demo::make_counter(2);\n"), std::string::npos) << referred;
}

TEST(TestSource, HandlesLiveUntilAllThreadsHaveEnded) {
  ClassModel model = counter();
  model.types["demo::Lease"].kind = TypeKind::kClass;
  model.types["std::optional<demo::Lease>"].kind = TypeKind::kValueHolder;
  model.types["std::optional<demo::Lease>"].elements = {"demo::Lease"};
  model.methods[0].result = "std::optional<demo::Lease>";
  const std::string text = text_of(two_adds(), model, operations());
  EXPECT_NE(text.find("  demo::Counter object(2);\n  heddle::Kept kept;\n"), std::string::npos) << text;
  EXPECT_NE(text.find("add_result = HEDDLE_OUTCOME(kept(object.add()));"), std::string::npos) << text;
  EXPECT_EQ(text.find("kept(object.get())"), std::string::npos) << text;
  model.types["demo::Lease"].fields = {{.name = "number", .type = "int", .default_value = {}}};
  EXPECT_EQ(text_of(two_adds(), model, operations()).find("kept"), std::string::npos)
      << "a structure of numbers is no handle";
}

TEST(TestSource, FixturesAndIncludesOnlyWhereTheyAreNeeded) {
  OperationTable table = operations();
  table.includes = {"<memory>", "\"fakes.h\"", "\"counter.h\""};
  table.fixtures = {{"listener_1", "SilentListener listener_1;", "class SilentListener {};"},
                    {"listener_2", "LoudListener listener_2;", "class LoudListener {};"}};
  table.operations[static_cast<uint32_t>(kAdd)].fixtures = {0};
  table.operations[static_cast<uint32_t>(kAdd)].code = "object.add(listener_1)";
  const std::string text = text_of(two_adds(), counter(), table);
  EXPECT_NE(text.find("#include <memory>\n#include <string>"), std::string::npos) << text;
  EXPECT_NE(text.find("#include \"counter.h\"\n#include \"fakes.h\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("class SilentListener {};"), std::string::npos) << text;
  EXPECT_NE(text.find("  SilentListener listener_1;\n  demo::Counter object(2);"), std::string::npos) << text;
  EXPECT_EQ(text.find("Loud"), std::string::npos) << text;
}

TEST(TestSource, AnObjectIsNoFunctionHoweverThePoolsFileMakesIt) {
  OperationTable table = operations();
  table.operations[0].code = "()";
  EXPECT_NE(text_of(two_adds(), counter(), table).find("  demo::Counter object{};\n"), std::string::npos);
  table.operations[0].code = "(demo::Limit())";
  EXPECT_NE(text_of(two_adds(), counter(), table).find("  auto object = demo::Counter(demo::Limit());\n"),
            std::string::npos);
}

TEST(TestSource, OfAFixtureThatNoCallNamesOnlyTheClassIsThere) {
  OperationTable table = operations();
  table.fixtures = {{"base", "const int base = 7;", ""},
                    {"job_1", "QuietJob job_1(base);", "struct QuietJob : demo::Job {};"},
                    {"queue_1", "JobQueue queue_1(base);", ""}};
  table.operations[static_cast<uint32_t>(kAdd)].fixtures = {0, 1, 2};
  table.operations[static_cast<uint32_t>(kAdd)].code = "object.add(std::make_unique<QuietJob>(), queue_1)";
  const std::string text = text_of(two_adds(), counter(), table);
  EXPECT_EQ(text.find("job_1"), std::string::npos) << text;
  EXPECT_NE(text.find("  const int base = 7;\n  JobQueue queue_1(base);\n"), std::string::npos) << text;
  // Files with the same class may be compiled as one.
  EXPECT_NE(
      text.find("#ifndef HEDDLE_HAS_STRUCT_QUIETJOB\n#define HEDDLE_HAS_STRUCT_QUIETJOB\nnamespace {\n"),
      std::string::npos)
      << text;
}

TEST(TestSource, StructuresThatAreComparedHaveTexts) {
  ClassModel model = counter();
  model.methods[2].result = "const demo::Bounds&";  // of get
  TypeModel& bounds = model.types["demo::Bounds"];
  bounds.name = "demo::Bounds";
  bounds.fields = {{"low", "int", ""}, {"high", "int", ""}};
  // Files with the same text may be compiled as one.
  EXPECT_NE(text_of(two_adds(), model, operations())
                .find("#ifndef HEDDLE_TEXT_OF_DEMO__BOUNDS\n"
                      "#define HEDDLE_TEXT_OF_DEMO__BOUNDS\n"
                      "template <>\n"
                      "struct heddle::TextOf<demo::Bounds> {\n"
                      "  static std::string text(const demo::Bounds& value) {\n"
                      "    return heddle::text_of_fields(\"low\", value.low, \"high\", value.high);\n"
                      "  }\n"
                      "};\n"
                      "#endif\n"),
            std::string::npos);
  TestCase race = two_adds();
  race.shows = trace::OutcomeKind::kRace;
  EXPECT_EQ(text_of(race, model, operations()).find("TextOf"), std::string::npos);
}

TEST(TestSource, TextsAreQuoted) {
  TestCase test = two_adds();
  test.right.orders = {order_of({"0", "\"a\\b\"\n", "\x01", "2"})};
  const std::string text = text_of(test, counter(), operations());
  EXPECT_NE(text.find(R"({"\"a\\b\"\n", "\001", "2"},)"), std::string::npos) << text;
}

TEST(TestNames, SayWhichCallsMeet) {
  const OperationTable table = operations();
  EXPECT_EQ(test_name({.constructor = kMake, .before = {}, .threads = {{kAdd, kTake}, {kGet}}, .after = {}},
                      counter(), table),
            "AddThenTakeWithGet");
  ClassModel model = counter();
  model.name = "ns::lru_cache<int, std::string>";
  EXPECT_EQ(suite_name(model), "LruCacheConcurrency");
  EXPECT_EQ(file_stem("PutWithSize"), "put_with_size");
  EXPECT_EQ(file_stem("LRUCacheGet2"), "lru_cache_get2");
}

}  // namespace
}  // namespace heddle::generate
