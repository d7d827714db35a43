#include "rate_limiter.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

class Burst : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Burst, IsAllowedAndNoMore) {
  const auto [burst, attempts] = GetParam();
  ManualClock clock;
  RateLimiter limiter(clock, {1, static_cast<double>(burst)});
  int allowed = 0;
  for (int i = 0; i < attempts; ++i) allowed += limiter.take("c").allowed;
  EXPECT_EQ(allowed, std::min(burst, attempts));
  EXPECT_EQ(limiter.stats().refused, static_cast<std::uint64_t>(attempts - allowed));
}

INSTANTIATE_TEST_SUITE_P(Grid, Burst,
                         testing::Combine(testing::Values(0, 1, 5, 20), testing::Values(1, 5, 30)));

struct RefillCase {
  double rate;
  Millis wait;
  int allowed;
};

class Refill : public testing::TestWithParam<RefillCase> {};

TEST_P(Refill, FollowsTheClock) {
  ManualClock clock;
  RateLimiter limiter(clock, {GetParam().rate, 10});
  while (limiter.take("c").allowed) {
  }
  clock.advance(GetParam().wait);
  int allowed = 0;
  while (limiter.take("c").allowed) ++allowed;
  EXPECT_EQ(allowed, GetParam().allowed);
}

INSTANTIATE_TEST_SUITE_P(Table, Refill,
                         testing::Values(RefillCase{1, 999, 0}, RefillCase{1, 1000, 1},
                                         RefillCase{2, 1000, 2}, RefillCase{5, 60'000, 10},
                                         RefillCase{0, 60'000, 0}));

TEST(RateLimiter, SaysWhenToTryAgain) {
  ManualClock clock;
  RateLimiter limiter(clock, {2, 1});
  EXPECT_TRUE(limiter.take("c").allowed);
  const RateLimiter::Decision refused = limiter.take("c");
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.retry_after, 500);
  clock.advance(refused.retry_after);
  EXPECT_TRUE(limiter.take("c").allowed);
}

TEST(RateLimiter, TheLongestPrefixCounts) {
  ManualClock clock;
  RateLimiter limiter(clock, {1, 1});
  limiter.set_policy("10.", {1, 2});
  limiter.set_policy("10.0.", {1, 3});
  EXPECT_EQ(limiter.policy_of("10.0.0.1").burst, 3);
  EXPECT_EQ(limiter.policy_of("10.1.0.1").burst, 2);
  EXPECT_EQ(limiter.policy_of("192.168.0.1").burst, 1);
  limiter.set_policy("", {1, 9});
  EXPECT_EQ(limiter.policy_of("192.168.0.1").burst, 9);
}

TEST(RateLimiter, SweepForgetsFullBuckets) {
  ManualClock clock;
  RateLimiter limiter(clock, {1, 2});
  limiter.take("a");
  limiter.take("b", 2);
  EXPECT_EQ(limiter.sweep(), 0U);
  clock.advance(1000);
  EXPECT_EQ(limiter.sweep(), 1U);
  EXPECT_EQ(limiter.stats().clients, 1U);
}

enum class Operation { kTake, kSetPolicy, kPolicyOf, kSweep, kStats };
constexpr const char* kNames[] = {"Take", "SetPolicy", "PolicyOf", "Sweep", "Stats"};

class LimiterPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(LimiterPairs, WorkTogether) {
  constexpr int kRounds = 16;
  ManualClock clock;
  RateLimiter limiter(clock, {0, 1000});
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string client = "client" + std::to_string(i % 3);
      switch (GetParam().of(thread)) {
        case Operation::kTake:
          good[thread] += limiter.take(client).allowed;
          break;
        case Operation::kSetPolicy:
          limiter.set_policy("other" + std::to_string(thread), {1, 1});
          ++good[thread];
          break;
        case Operation::kPolicyOf:
          good[thread] += limiter.policy_of(client).burst == 1000;
          break;
        case Operation::kSweep:
          limiter.sweep();
          ++good[thread];
          break;
        case Operation::kStats:
          good[thread] += limiter.stats().refused == 0;
          break;
      }
    }
  });
  std::uint64_t taken = 0;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kTake) taken += kRounds;
  }
  EXPECT_EQ(limiter.stats().allowed, taken);
}

INSTANTIATE_TEST_SUITE_P(All, LimiterPairs, testing::ValuesIn(all_pairs<Operation>(5, {2, 6})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
