#include "outcome_store.h"

#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

TEST(OutcomeStore, ALineSaysAllOfAnOutcome) {
  TestOutcome outcome;
  outcome.test = "Map.Put";
  outcome.races = {{{"src/map.h", 3, "Map::get"}, {"src/map.h", 9, "Map::put"}}};
  outcome.failures = {"deadlock in Map::put"};
  outcome.cpu_seconds = 0.25;
  outcome.executions = 4;
  outcome.lines = {{"src/map.h", {3, 9}}};
  const std::optional<TestOutcome> read = from_line(to_line(outcome));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->test, outcome.test);
  EXPECT_EQ(read->races, outcome.races);
  EXPECT_EQ(read->failures, outcome.failures);
  EXPECT_EQ(read->cpu_seconds, outcome.cpu_seconds);
  EXPECT_EQ(read->executions, outcome.executions);
  EXPECT_EQ(read->lines, outcome.lines);
}

TEST(OutcomeStore, HalfALineIsNone) {
  const std::string line = to_line({.test = "a"});
  EXPECT_FALSE(from_line(line.substr(0, line.size() / 2)));
  EXPECT_FALSE(from_line("{}"));
  EXPECT_FALSE(from_line(""));
}

TEST(OutcomeStore, RacesOfTwoVersionsAreComparedByFunctions) {
  const Race before{{"src/map.h", 3, "Map::get"}, {"src/map.h", 9, "Map::put"}};
  const Race after{{"src/map.h", 4, "Map::put"}, {"src/map.h", 30, "Map::get"}};
  EXPECT_EQ(before.functions(), after.functions());
}

}  // namespace
}  // namespace heddle::bench
