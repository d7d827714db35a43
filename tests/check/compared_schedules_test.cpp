#include "check/compared_schedules.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::PolicyKind;

trace::Trace some_writes(int count) {
  trace::TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  for (int i = 0; i < count; ++i) main.write(x).at(1);
  return b.build();
}

TEST(ComparedSchedules, BeginWithTheDefaultAndEndWhenEnoughDoDifferentThings) {
  ComparedSchedules schedules(3);
  for (int i = 1; i <= 3; ++i) {
    const std::optional<trace::PolicySpec> policy = schedules.next();
    ASSERT_TRUE(policy);
    EXPECT_EQ(*policy == trace::PolicySpec(), i == 1);
    EXPECT_NE(policy->kind, PolicyKind::kRandom);
    EXPECT_EQ(*policy, schedules.planned()[i - 1]);
    EXPECT_TRUE(schedules.add(some_writes(i)));
  }
  EXPECT_FALSE(schedules.next());
}

TEST(ComparedSchedules, ThatDoTheSameDoNotCountButComeToAnEnd) {
  ComparedSchedules schedules(2);
  schedules.next();
  EXPECT_TRUE(schedules.add(some_writes(1)));
  uint32_t in_vain = 0;
  for (; schedules.next(); ++in_vain) EXPECT_FALSE(schedules.add(some_writes(1)));
  EXPECT_GT(in_vain, 1u);
  EXPECT_LT(in_vain, 10u);
}

TEST(ComparedSchedules, ForCodeThatWasNotReachedAreAFewRandomOnes) {
  ComparedSchedules schedules(1);
  uint64_t last = 0;
  uint32_t given = 0;
  while (const std::optional<trace::PolicySpec> policy = schedules.next_for_unreached()) {
    EXPECT_EQ(policy->kind, PolicyKind::kRandom);
    EXPECT_NE(policy->seed, last);
    last = policy->seed;
    ASSERT_LT(++given, 100u);
  }
  EXPECT_GT(given, 1u);
}

}  // namespace
}  // namespace heddle
