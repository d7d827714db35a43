// How many executions searches of real programs take, where that is known.
#include "explore_fixture.h"

namespace heddle {
namespace {

class ExploreCounts : public ExploreTest {
 protected:
  void expect_classes(const std::string& test, uint64_t classes) const {
    const Explored explored = explore("--strategy dpor --budget 10m", test);
    EXPECT_EQ(explored.exit_code, 0) << test << explored.err;
    EXPECT_EQ(explored["complete"], true) << test << explored.err;
    EXPECT_EQ(explored["interleavings"], classes) << test;
    EXPECT_EQ(explored["blocked_executions"], 0) << test;
    EXPECT_TRUE(explored.says("complete: no failure; " + std::to_string(classes) + " interleavings executed"))
        << explored.err;
  }
};

TEST_F(ExploreCounts, LocksOfOneMutexHaveNFactorialOrders) {
  uint64_t factorial = 1;
  for (uint64_t n = 2; n <= 6; ++n) expect_classes("mutex_orders " + std::to_string(n), factorial *= n);
}

TEST_F(ExploreCounts, EveryReaderIsBeforeOrAfterTheWriter) {
  for (uint64_t n = 1; n <= 8; ++n)
    expect_classes("writer_and_readers " + std::to_string(n), uint64_t{1} << n);
}

TEST_F(ExploreCounts, AccessesToAStackMeetWhereTheyOverlap) {
  expect_classes("half_on_stack", 2);
  expect_classes("halves_on_stack", 1);
}

TEST_F(ExploreCounts, LastZero) {
  for (const uint64_t n : {5, 8, 10})
    expect_classes("last_zero " + std::to_string(n), (uint64_t{1} << (n - 2)) * (n + 3));
}

TEST_F(ExploreCounts, Indexer) {
  expect_classes("indexer 12", 8);
  expect_classes("indexer 13", 64);
  expect_classes("indexer 14", 512);
  expect_classes("indexer 15", 4096);
}

// Wang, Said and Gupta (ICSE 2011), section 2.2.
TEST_F(ExploreCounts, BusyWaitingTakesHapsetTwoExecutionsAndDporMany) {
  for (const std::string parking : {"", " --no-spin-parking"}) {
    const Explored explored = explore("--strategy hapset" + parking, "busy_waiting");
    EXPECT_EQ(explored.exit_code, 0) << explored.err;
    EXPECT_EQ(explored["executions"], 2) << explored.err;
    EXPECT_EQ(explored["complete"], false);
    EXPECT_GT(explored["pruned"], 0);
  }
  const Explored unbounded =
      explore("--strategy dpor --no-spin-parking --max-executions 100", "busy_waiting");
  EXPECT_EQ(unbounded["executions"], 100) << unbounded.err;
  EXPECT_TRUE(unbounded.says("stopped at --max-executions")) << unbounded.err;
  const Explored parked = explore("--strategy dpor", "busy_waiting");
  EXPECT_TRUE(parked.says("nothing is left to try")) << parked.err;
  EXPECT_LT(parked["executions"], 50) << parked.err;
}

TEST_F(ExploreCounts, BoundedSearchesDoNotClaimToBeComplete) {
  for (const std::string strategy : {"pcb:1", "delay:1", "hapset", "hapset:2"}) {
    const Explored explored = explore("--strategy " + strategy, "mutex_orders 3");
    EXPECT_EQ(explored.exit_code, 0) << explored.err;
    EXPECT_EQ(explored["complete"], false) << explored.err;
    EXPECT_EQ(explored["strategy"], strategy);
    EXPECT_TRUE(explored.says("nothing is left to try")) << explored.err;
    EXPECT_TRUE(explored.says("does not claim to be complete")) << explored.err;
  }
}

TEST_F(ExploreCounts, ThreadsThatWereHeldBackAreAReasonNotToBeComplete) {
  for (const std::string strategy : {"dfs", "dpor"}) {
    const Explored parked = explore("--strategy " + strategy, "counts_looks");
    EXPECT_EQ(parked["complete"], false) << parked.err;
    EXPECT_TRUE(parked.says("not complete: how often threads look in vain")) << parked.err;
    const Explored all = explore("--no-spin-parking --keep-going --strategy " + strategy, "counts_looks");
    EXPECT_EQ(all["complete"], true) << all.err;
    EXPECT_EQ(all.kinds(), std::set<std::string>{"assertion"}) << all.err;
  }
}

TEST_F(ExploreCounts, SignalsAreAReasonNotToBeComplete) {
  const Explored explored = explore("--strategy dpor", "signals_itself");
  EXPECT_EQ(explored.exit_code, 0) << explored.err;
  EXPECT_EQ(explored["complete"], false) << explored.err;
  EXPECT_TRUE(explored.says("not complete: the program sends itself signals")) << explored.err;
}

TEST_F(ExploreCounts, TheSameTwice) {
  for (const std::string strategy : {"dfs", "dpor", "hapset", "auto", "random", "rf", "surw"}) {
    const std::string options = "--keep-going --max-executions 100 --strategy " + strategy;
    Explored first = explore(options, "two_failures");
    Explored second = explore(options, "two_failures");
    for (nlohmann::json* result : {&first.result, &second.result}) {
      result->erase("seconds");
      result->erase("rate");
    }
    EXPECT_EQ(first.result, second.result) << strategy;
    EXPECT_EQ(first.err, second.err) << strategy;
  }
}

}  // namespace
}  // namespace heddle
