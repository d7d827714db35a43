// What calls may give when threads make them: whatever some order of the calls gives.
#include "generate/sequential_orders.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "model_class.h"

namespace heddle::generate {
namespace {

using Threads = std::vector<std::vector<OperationId>>;

CallPlan plan_of(std::vector<OperationId> before, Threads threads, std::vector<OperationId> after = {kGet}) {
  return {.constructor = kMake,
          .before = std::move(before),
          .threads = std::move(threads),
          .after = std::move(after)};
}

// The results of all calls that have ended, in the order of the plan; "-": it has begun and not ended.
CallRun run_of(const std::vector<std::string>& results) {
  CallRun run;
  uint32_t number = 0;
  for (const std::string& text : results) {
    CallResult result;
    result.begun = ++number;
    if (text != "-") result.ended = ++number;
    result.threw = text.starts_with("throws");
    result.text = text == "-" ? "" : text;
    run.results.push_back(result);
  }
  return run;
}

TEST(MergeOrders, KeepTheOrderOfEachThreadAndBeginWithTheSerialOnes) {
  const auto orders = merge_orders({2, 1}, 100);
  EXPECT_EQ(orders, (std::vector<std::vector<uint32_t>>{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(merge_orders({2, 2, 2}, 1000).size(), 90U);
  EXPECT_EQ(merge_orders({3, 3, 3}, 50).size(), 50U);
}

TEST(SequentialOrders, AResultThatSomeOrderGivesIsRight) {
  ModelRunner runner;
  const Expected<SequentialOrders> orders = SequentialOrders::make(runner, plan_of({}, {{kAdd}, {kAdd}}));
  ASSERT_TRUE(orders);
  EXPECT_TRUE(orders->explains(run_of({"1", "2", "2"})));
  EXPECT_TRUE(orders->explains(run_of({"2", "1", "2"})));
}

TEST(SequentialOrders, ALostUpdateIsNotRight) {
  ModelRunner runner;
  const Expected<SequentialOrders> orders = SequentialOrders::make(runner, plan_of({}, {{kAdd}, {kAdd}}));
  ASSERT_TRUE(orders);
  EXPECT_FALSE(orders->explains(run_of({"1", "1", "1"})));
  EXPECT_FALSE(orders->explains(run_of({"1", "2", "1"}))) << "the state at the end counts, too";
}

TEST(SequentialOrders, AnExceptionIsRightIfSomeOrderThrowsIt) {
  ModelRunner runner;
  const Expected<SequentialOrders> full = SequentialOrders::make(runner, plan_of({kAdd}, {{kAdd}, {kAdd}}));
  ASSERT_TRUE(full);
  EXPECT_TRUE(full->explains(run_of({"1", "2", "throws full", "2"})));
  EXPECT_FALSE(full->explains(run_of({"1", "throws full", "throws full", "1"})));
}

TEST(SequentialOrders, WhoWaitsForAnotherThreadIsExplainedByTheOrderInWhichItNeedNot) {
  ModelRunner runner;
  Expected<SequentialOrders> orders = SequentialOrders::make(runner, plan_of({}, {{kTake}, {kAdd}}));
  ASSERT_TRUE(orders);
  EXPECT_EQ(orders->unusable(), "");
  EXPECT_TRUE(orders->explains(run_of({"0", "1", "0"})));
}

TEST(SequentialOrders, BeingStuckIsRightIfEachPendingCallBlocksAfterThoseThatHaveEnded) {
  ModelRunner runner;
  Expected<SequentialOrders> orders =
      SequentialOrders::make(runner, plan_of({kAdd}, {{kTake}, {kTake, kAdd}}));
  ASSERT_TRUE(orders);
  ASSERT_EQ(orders->unusable(), "") << "the second thread can go first";
  CallRun first_took_it = run_of({"1", "0", "-", "", ""});
  first_took_it.results[3] = first_took_it.results[4] = {};
  const Expected<bool> explained = orders->explains_block(first_took_it);
  ASSERT_TRUE(explained);
  EXPECT_TRUE(*explained);

  CallRun strange = first_took_it;
  strange.results[1].text = "7";
  const Expected<bool> with_another_result = orders->explains_block(strange);
  ASSERT_TRUE(with_another_result);
  EXPECT_FALSE(*with_another_result);
}

TEST(SequentialOrders, ALostWakeupIsNotRight) {
  ModelRunner runner;
  Expected<SequentialOrders> orders = SequentialOrders::make(runner, plan_of({}, {{kTake}, {kAdd}}));
  ASSERT_TRUE(orders);
  CallRun stuck = run_of({"-", "1", ""});
  stuck.results[2] = {};  // not begun
  const Expected<bool> explained = orders->explains_block(stuck);
  ASSERT_TRUE(explained);
  EXPECT_FALSE(*explained);

  Expected<SequentialOrders> takers =
      SequentialOrders::make(runner, plan_of({kAdd}, {{kTake, kAdd}, {kTake}}));
  ASSERT_TRUE(takers);
  CallRun second_waits = run_of({"1", "-", "", "-", ""});
  second_waits.results[2] = second_waits.results[4] = {};
  const Expected<bool> both_wait = takers->explains_block(second_waits);
  ASSERT_TRUE(both_wait);
  EXPECT_FALSE(*both_wait) << "there is one to take";
}

TEST(SequentialOrders, NothingIsSaidOfCallsThatFailOrNeverEndAlone) {
  ModelRunner runner;
  const Expected<SequentialOrders> crash = SequentialOrders::make(runner, plan_of({}, {{kCrash}, {kAdd}}));
  ASSERT_TRUE(crash);
  EXPECT_EQ(crash->unusable(), "one call after the other, it ends by crash: SIGSEGV");
  const Expected<SequentialOrders> stuck = SequentialOrders::make(runner, plan_of({}, {{kTake}, {kGet}}));
  ASSERT_TRUE(stuck);
  EXPECT_EQ(stuck->unusable(), "in no order do all calls end");
}

// Keeps what it was asked to do.
class RecordingRunner : public ModelRunner {
 public:
  std::vector<CallPlan> plans;
  Expected<CallRun> run_alone(const CallPlan& plan, bool observes, uint64_t schedule) override {
    plans.push_back(plan);
    return ModelRunner::run_alone(plan, observes, schedule);
  }
};

TEST(SequentialOrders, EachCallTakesTheResultsOfItsOwnThread) {
  RecordingRunner runner;
  const Expected<SequentialOrders> orders =
      SequentialOrders::make(runner, plan_of({kReset}, {{kAdd, kGet}, {kReset}}));
  ASSERT_TRUE(orders);
  ASSERT_EQ(orders->right().orders.size(), 3U);
  for (size_t i = 0; i < orders->right().orders.size(); ++i) {
    std::vector<uint32_t> made_for = {0};
    for (const uint32_t turn : orders->right().orders[i].turns) made_for.push_back(turn + 1);
    EXPECT_EQ(runner.plans[i].made_for, made_for);
  }
}

// An execution in which the calls have these results, and the numbers of their beginnings and ends.
CallRun run_at(const std::vector<std::string>& results,
               const std::vector<std::pair<uint32_t, uint32_t>>& at) {
  CallRun run = run_of(results);
  for (size_t i = 0; i < at.size(); ++i) {
    run.results[i].begun = at[i].first;
    run.results[i].ended = at[i].second;
  }
  return run;
}

TEST(SequentialOrders, AnExecutionWithoutOverlapIsOneOfThem) {
  RecordingRunner runner;
  SequentialOrders orders(runner, plan_of({}, {{kAdd}, {kGet}}));
  orders.adopt(run_at({"1", "1", "1"}, {{1, 2}, {3, 4}, {5, 6}}));
  // Of the reversed plan: get comes first there.
  orders.adopt_reversed(run_at({"0", "1", "1"}, {{1, 2}, {3, 4}, {5, 6}}));
  ASSERT_TRUE(orders.complete());
  EXPECT_TRUE(runner.plans.empty());
  ASSERT_EQ(orders.right().orders.size(), 2U);
  EXPECT_EQ(orders.right().orders[0].turns, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(orders.right().orders[1].turns, (std::vector<uint32_t>{1, 0}));
  EXPECT_TRUE(orders.explains(run_of({"1", "1", "1"})));
  EXPECT_TRUE(orders.explains(run_of({"1", "0", "1"})));
  EXPECT_FALSE(orders.explains(run_of({"0", "1", "1"})));
}

TEST(SequentialOrders, AnExecutionWithOverlapIsNone) {
  RecordingRunner runner;
  SequentialOrders orders(runner, plan_of({}, {{kAdd}, {kGet}}));
  orders.adopt(run_at({"7", "7", "7"}, {{1, 3}, {2, 4}, {5, 6}}));
  CallRun stuck = run_at({"7", "-", "7"}, {{1, 2}, {3, 0}, {0, 0}});
  stuck.end = RunEnd::kBlocked;
  orders.adopt(stuck);
  ASSERT_TRUE(orders.complete());
  EXPECT_EQ(runner.plans.size(), 2U);
  EXPECT_FALSE(orders.explains(run_of({"7", "7", "7"})));
}

// A class may notice that a thread has ended; the other way round is as right.
TEST(SequentialOrders, WhatWasAdoptedStaysRightIfOrdersThatAreExecutedGiveSomethingElse) {
  RecordingRunner runner;
  SequentialOrders orders(runner, plan_of({}, {{kAdd}, {kGet}}));
  orders.adopt(run_at({"1", "5", "5"}, {{1, 2}, {3, 4}, {5, 6}}));
  ASSERT_TRUE(orders.complete());
  EXPECT_FALSE(orders.explains(run_of({"1", "1", "1"})));
  ASSERT_TRUE(orders.make_sure());
  EXPECT_TRUE(orders.explains(run_of({"1", "1", "1"})));
  EXPECT_TRUE(orders.explains(run_of({"1", "5", "5"})));
  EXPECT_FALSE(orders.explains(run_of({"1", "3", "3"})));
}

TEST(SequentialOrders, TheReversedPlanHasTheSameOnesTheOtherWayRound) {
  ModelRunner runner;
  const Expected<SequentialOrders> orders =
      SequentialOrders::make(runner, plan_of({kReset}, {{kAdd, kGet}, {kReset}}));
  const Expected<SequentialOrders> expected =
      SequentialOrders::make(runner, plan_of({kReset}, {{kReset}, {kAdd, kGet}}));
  ASSERT_TRUE(orders && expected);
  const SequentialOrders reversed = orders->reversed();
  ASSERT_EQ(reversed.right().orders.size(), 3U);
  for (const SequentialOrder& order : expected->right().orders) {
    const auto same = std::ranges::find(reversed.right().orders, order.turns, &SequentialOrder::turns);
    ASSERT_NE(same, reversed.right().orders.end());
    EXPECT_EQ(same->run.results, order.run.results);
  }
}

}  // namespace
}  // namespace heddle::generate
