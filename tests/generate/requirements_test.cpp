// Which requirements are worth an attempt.
#include "generate/requirements.h"

#include <vector>

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

TEST(Requirements, WhatDoesNotSucceedIsTriedEverMoreSeldom) {
  Requirements requirements;
  const auto predict = [&] {
    requirements.add({.key = 1, .kind = "race", .methods = "put"});
    const bool tries = !requirements.is_settled(1);
    if (tries) requirements.miss(1);
    return tries;
  };
  std::vector<int> attempts;
  for (int i = 1; i <= 20; ++i)
    if (predict()) attempts.push_back(i);
  EXPECT_EQ(attempts, (std::vector<int>{1, 2, 3, 6, 12}));
  EXPECT_EQ(requirements.counts().infeasible, 1U);
  requirements.cover(1);
  EXPECT_EQ(requirements.counts().infeasible, 0U) << "it was feasible after all";
}

}  // namespace
}  // namespace heddle::generate
