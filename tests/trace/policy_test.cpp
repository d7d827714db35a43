#include "trace/policy.h"

#include <gtest/gtest.h>

namespace heddle::trace {
namespace {

TEST(Policy, IsReadAsUsersWriteIt) {
  EXPECT_EQ(*parse_policy("nonpreemptive"), (PolicySpec{PolicyKind::kNonpreemptive, 0, 0}));
  EXPECT_EQ(*parse_policy("round-robin"), (PolicySpec{PolicyKind::kRoundRobin, 0, 0}));
  EXPECT_EQ(*parse_policy("random"), (PolicySpec{PolicyKind::kRandom, 0, 0}));
  EXPECT_EQ(*parse_policy("random seed 7"), (PolicySpec{PolicyKind::kRandom, 0, 7}));
  EXPECT_EQ(*parse_policy("pct:3"), (PolicySpec{PolicyKind::kPct, 3, 0}));
  EXPECT_EQ(*parse_policy("rf seed 2"), (PolicySpec{PolicyKind::kReadsFrom, 0, 2}));
  EXPECT_EQ(*parse_policy("pct:3 seed 18446744073709551615"), (PolicySpec{PolicyKind::kPct, 3, UINT64_MAX}));
}

TEST(Policy, SurvivesPrintingAndReading) {
  for (const PolicySpec policy :
       {PolicySpec{}, PolicySpec{PolicyKind::kRandom, 0, 0}, PolicySpec{PolicyKind::kPct, 12, 99},
        PolicySpec{PolicyKind::kRoundRobin, 0, 5}}) {
    EXPECT_EQ(*parse_policy(print_policy(policy)), policy) << print_policy(policy);
  }
  EXPECT_EQ(print_policy({}), "nonpreemptive");
  EXPECT_EQ(print_policy({PolicyKind::kRandom, 0, 0}), "random seed 0");
  EXPECT_EQ(print_policy({PolicyKind::kPct, 3, 7}), "pct:3 seed 7");
}

TEST(Policy, ErrorListsTheValidOnes) {
  for (const char* text : {"", "fair", "pct", "random:3", "Random", "nonpreemptive ", " random"}) {
    const auto policy = parse_policy(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().message,
              "unknown policy '" + std::string(text) + "': expected one of " + list_policies());
    EXPECT_NE(list_policies().find("random, pct:D (D at least 1), pos"), std::string::npos);
  }
}

TEST(Policy, RefusesDepthsAndSeedsThatAreNone) {
  for (const char* text : {"pct:0", "pct:", "pct:-1", "pct:1001", "pct:3x", "pct:99999999999"}) {
    const auto policy = parse_policy(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_NE(policy.error().message.find("is not a depth for pct:D: expected a number from 1 to 1000"),
              std::string::npos);
  }
  for (const char* text :
       {"random seed ", "random seed x", "random seed -1", "random seed 18446744073709551616"}) {
    const auto policy = parse_policy(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_NE(policy.error().message.find("is not a seed"), std::string::npos);
  }
}

}  // namespace
}  // namespace heddle::trace
