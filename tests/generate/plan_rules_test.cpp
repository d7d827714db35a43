// Tests that would be wrong whatever the class does.
#include "generate/plan_rules.h"

#include <gtest/gtest.h>

#include "model_class.h"

namespace heddle::generate {
namespace {

// take() gives what add() moves from, and get() looks at.
OperationTable moving_operations() {
  OperationTable table = model_operations();
  Operation& add = table.operations[static_cast<uint32_t>(kAdd)];
  const uint32_t take = table[kTake].callable;
  add.needs = add.moves = {take};
  table.operations[static_cast<uint32_t>(kGet)].needs = {take};
  return table;
}

CallPlan with_threads(std::vector<std::vector<OperationId>> threads) {
  return {.constructor = kMake, .before = {kTake}, .threads = std::move(threads), .after = {}};
}

TEST(PlanRules, OneResultIsMovedFromByOneThreadThatAloneUsesIt) {
  const OperationTable operations = moving_operations();
  EXPECT_TRUE(uses_what_is_moved_from(with_threads({{kAdd}, {kAdd}}), operations));
  EXPECT_TRUE(uses_what_is_moved_from(with_threads({{kGet}, {kAdd}}), operations));
  EXPECT_FALSE(uses_what_is_moved_from(with_threads({{kGet}, {kGet}}), operations));
  EXPECT_FALSE(uses_what_is_moved_from(with_threads({{kAdd, kAdd}, {kReset}}), operations));
}

TEST(PlanRules, AResultOfTheThreadItselfIsItsOwn) {
  EXPECT_FALSE(uses_what_is_moved_from(with_threads({{kTake, kAdd}, {kAdd}}), moving_operations()));
}

TEST(PlanRules, TheSecondObjectIsMovedFromByOneThreadThatAloneUsesIt) {
  OperationTable operations = model_operations();
  Operation& add = operations.operations[static_cast<uint32_t>(kAdd)];
  add.takes_other = add.moves_other = true;
  operations.operations[static_cast<uint32_t>(kGet)].takes_other = true;
  EXPECT_TRUE(uses_what_is_moved_from(with_threads({{kAdd}, {kGet}}), operations));
  EXPECT_FALSE(uses_what_is_moved_from(with_threads({{kGet}, {kGet}}), operations));
}

}  // namespace
}  // namespace heddle::generate
