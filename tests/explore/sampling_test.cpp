// The random policies against what can be computed, with fixed seeds under the real runtime.
#include <cmath>

#include <gtest/gtest.h>

#include "explore/reads_from_search.h"
#include "explore/surw_search.h"
#include "sampling.h"

namespace heddle {
namespace {

using trace::PolicyKind;

constexpr double kFair = 5;         // standard deviations
constexpr uint64_t kPerOrder = 25;  // executions

// 6! / (2! 2! 2!) orders.
TEST(Surw, IsUniformOverTheOrdersOfEvents) {
  Sampler sampler("orders");
  SurwSearch surw(1);
  const Samples samples = sampler.explore(surw, 90 * kPerOrder);
  EXPECT_EQ(samples.outputs.size(), 90u);
  EXPECT_LT(deviation_from_uniform(samples.outputs, 90), kFair);

  const Samples walks = sampler.sample({.kind = PolicyKind::kRandom, .seed = 1}, 90 * kPerOrder);
  EXPECT_GT(deviation_from_uniform(walks.outputs, 90), 100 * kFair);
}

// The events form a forest: 7! divided by the product, over the events, of how many there are in the tree
// below each, 5·2·2·2.
TEST(Surw, CountsThreadsThatAreToBeCreated) {
  Sampler sampler("family");
  SurwSearch surw(1);
  const Samples samples = sampler.explore(surw, 126 * kPerOrder);
  EXPECT_EQ(samples.outputs.size(), 126u);
  EXPECT_LT(deviation_from_uniform(samples.outputs, 126), kFair);
}

TEST(Surw, IsUniformOverTheOrdersOfCriticalSections) {
  Sampler sampler("sections");
  SurwSearch surw(1);
  const Samples samples = sampler.explore(surw, 90 * kPerOrder);
  EXPECT_EQ(samples.outputs.size(), 90u);
  EXPECT_LT(deviation_from_uniform(samples.outputs, 90), kFair);
}

TEST(Surw, LetsThreadsRunThatOthersWaitFor) {
  Sampler sampler("helpers");
  SurwSearch surw(1);
  const Samples samples = sampler.explore(surw, 500);
  EXPECT_EQ(samples.failures, 0u);
  const Samples walks = sampler.sample({.kind = PolicyKind::kRandom, .seed = 1}, 500);
  EXPECT_LT(samples.longest_steps, 2 * walks.longest_steps);
}

TEST(Surw, DoesNotWaitForEver) {
  Sampler sampler("impatient");
  SurwSearch surw(1);
  const Samples samples = sampler.explore(surw, 50);
  EXPECT_EQ(samples.failures, 0u);
  EXPECT_LT(samples.longest_steps, 50'000u);
}

// How likely it is that a random walk executes the last of `long_steps` steps of one thread before the last
// of `short_steps` steps of another one, when main creates them one after the other.
double chance_of_long_first(int forks, int long_steps, int short_steps) {
  if (long_steps == 0) return 1;
  if (short_steps == 0) return 0;
  const bool long_exists = forks < 2;
  const bool short_exists = forks < 1;
  double sum = 0;
  int alternatives = 0;
  const auto add = [&](bool can_run, int other_forks, int other_long, int other_short) {
    if (!can_run) return;
    alternatives++;
    sum += chance_of_long_first(other_forks, other_long, other_short);
  };
  add(forks > 0, forks - 1, long_steps, short_steps);
  add(long_exists, forks, long_steps - 1, short_steps);
  add(short_exists, forks, long_steps, short_steps - 1);
  return sum / alternatives;
}

// The beginning of the thread is a step.
constexpr int kLongSteps = 1 + 2 * 4 + 1;
constexpr int kShortSteps = 1 + 1;

TEST(RandomWalk, HitsAScheduleAsOftenAsComputed) {
  Sampler sampler("after_long_work");
  constexpr uint64_t kExecutions = 8000;
  const double chance = chance_of_long_first(2, kLongSteps, kShortSteps);
  const Samples samples = sampler.sample({.kind = PolicyKind::kRandom, .seed = 1}, kExecutions);
  const double expected = chance * kExecutions;
  EXPECT_NEAR(static_cast<double>(samples.failures), expected, kFair * std::sqrt(expected));
}

// The single step has the lowest of all priorities: no step of the other thread conflicts with it, so none is
// drawn again.
TEST(Pos, FindsWhatComesAfterLongWork) {
  Sampler sampler("after_long_work");
  constexpr uint64_t kExecutions = 2000;
  const Samples samples = sampler.sample({.kind = PolicyKind::kPos, .seed = 1}, kExecutions);
  EXPECT_GE(samples.failures, kExecutions / (kLongSteps + 1));
}

// Of main and two others: at least 1 / (n k^(d-1)).
void expect_pct_bound(const std::string& program, uint32_t depth, uint64_t executions) {
  Sampler sampler(program);
  const Samples samples = sampler.sample({.kind = PolicyKind::kPct, .depth = depth, .seed = 1}, executions);
  ASSERT_LE(samples.longest_steps, sampler.longest_steps());
  const double bound = 1 / (3 * std::pow(static_cast<double>(sampler.longest_steps()), depth - 1));
  EXPECT_GE(static_cast<double>(samples.failures), bound * static_cast<double>(executions));
  ::testing::Test::RecordProperty("steps", static_cast<int>(sampler.longest_steps()));
  ::testing::Test::RecordProperty("failures", static_cast<int>(samples.failures));
  // With fewer change points it cannot be found, which shows that the depth is right.
  if (depth == 1) return;
  const Samples shallow =
      sampler.sample({.kind = PolicyKind::kPct, .depth = depth - 1, .seed = 1}, executions / 5);
  EXPECT_EQ(shallow.failures, 0u);
}

TEST(Pct, MeetsItsBoundAtDepth1) {
  expect_pct_bound("before_all", 1, 300);
}

TEST(Pct, MeetsItsBoundAtDepth2) {
  expect_pct_bound("in_the_middle", 2, 4000);
}

TEST(Pct, MeetsItsBoundAtDepth3) {
  expect_pct_bound("middle_and_end", 3, 15000);
}

// One read has to see one of many writes.
TEST(ReadsFromSearch, FindsTheGapBetweenManySetters) {
  for (const int setters : {5, 50}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Sampler sampler("setters", setters);
      ReadsFromSearch rf(seed);
      const Samples samples = sampler.explore(rf, 50, /*until_failure=*/true);
      EXPECT_EQ(samples.failures, 1u) << setters << " setters, seed " << seed;
    }
  }
  Sampler sampler("setters", 50);
  EXPECT_EQ(sampler.sample({.kind = PolicyKind::kRandom, .seed = 1}, 500).failures, 0u);
}

TEST(ReadsFromSearch, FindsTheGapBetweenTwoStages) {
  for (const int writers : {2, 40}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Sampler sampler("two_stages", writers);
      ReadsFromSearch rf(seed);
      const Samples samples = sampler.explore(rf, 100, /*until_failure=*/true);
      EXPECT_EQ(samples.failures, 1u) << writers << " writers, seed " << seed;
    }
  }
}

TEST(ReadsFromSearch, DoesNotWaitForEver) {
  Sampler sampler("impatient");
  ReadsFromSearch rf(1);
  const Samples samples = sampler.explore(rf, 50);
  EXPECT_EQ(samples.failures, 0u);
  EXPECT_LT(samples.longest_steps, 50'000u);
}

TEST(ReadsFromSearch, LetsThreadsRunThatOthersWaitFor) {
  Sampler sampler("helpers");
  ReadsFromSearch rf(1);
  const Samples samples = sampler.explore(rf, 500);
  EXPECT_EQ(samples.failures, 0u);
  const Samples walks = sampler.sample({.kind = PolicyKind::kPos, .seed = 1}, 500);
  EXPECT_LT(samples.longest_steps, 2 * walks.longest_steps);
}

}  // namespace
}  // namespace heddle
