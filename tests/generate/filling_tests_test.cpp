// Tests that fill in what the estimate of conflicts does not see.
#include "generate/filling_tests.h"

#include <gtest/gtest.h>

#include "model_class.h"

namespace heddle::generate {
namespace {

struct Filling {
  ModelRunner runner;
  OperationTable operations = model_operations();
  SequenceSearch search{runner, operations};

  Filling() {
    EXPECT_TRUE(search.begin());
    EXPECT_TRUE(search.expand_next());
  }
};

std::vector<CallPlan> take_plans(FillingTests& tests, size_t count) {
  std::vector<CallPlan> given;
  for (size_t i = 0; i < count; ++i)
    if (const std::optional<CallPlan> plan = tests.next()) given.push_back(*plan);
  return given;
}

TEST(FillingTests, ASeedGivesTheSameTestsAndNoneTwice) {
  Filling filling;
  FillingTests one(filling.search, filling.operations, 2, 7);
  FillingTests same(filling.search, filling.operations, 2, 7);
  FillingTests other(filling.search, filling.operations, 2, 8);
  const std::vector<CallPlan> given = take_plans(one, 100);
  EXPECT_EQ(given, take_plans(same, 100));
  EXPECT_NE(given, take_plans(other, 100));
  EXPECT_EQ(std::set<CallPlan>(given.begin(), given.end()).size(), given.size());
}

TEST(FillingTests, WhatHasBroughtNewsComesOftener) {
  Filling filling;
  FillingTests tests(filling.search, filling.operations, 2, 1);
  const auto is_wanted = [](const CallPlan& plan) {
    return plan.threads == std::vector<std::vector<OperationId>>{{kAdd}, {kReset}} ||
           plan.threads == std::vector<std::vector<OperationId>>{{kReset}, {kAdd}};
  };
  size_t wanted = 0;
  constexpr size_t kTests = 400;
  for (size_t i = 0; i < kTests; ++i) {
    const std::optional<CallPlan> plan = tests.next();
    ASSERT_TRUE(plan);
    wanted += is_wanted(*plan) ? 1 : 0;
    tests.tell(*plan, is_wanted(*plan) && wanted <= 10 ? 2 : 0);
  }
  // One of ten pairs: by the random third alone it would be some 50, in either order.
  EXPECT_GT(wanted, kTests / 4);
}

}  // namespace
}  // namespace heddle::generate
