#include "select/matcher.h"

#include <gtest/gtest.h>

namespace heddle::select {
namespace {

SharedVariable variable(bool is_write, std::vector<uint32_t> leaves, Rule rule = Rule::kUnaffected) {
  SharedVariable result;
  result.is_write = is_write;
  for (const uint32_t leaf : leaves) result.locations.push_back({leaf, 0});
  result.rule = rule;
  return result;
}

using Pairs = std::vector<ImpactedPair>;

TEST(Matcher, NeedsACommonLocationAWriteAndAnImpactedSide) {
  EXPECT_EQ(match({variable(true, {1}, Rule::kAccess), variable(false, {1})}), (Pairs{{0, 0}, {0, 1}}));
  EXPECT_EQ(match({variable(true, {1}), variable(false, {1})}), Pairs{});
  EXPECT_EQ(match({variable(false, {1}, Rule::kAccess), variable(false, {1})}), Pairs{});
  EXPECT_EQ(match({variable(false, {1, 2}, Rule::kAccess), variable(true, {3})}), Pairs{});
  EXPECT_EQ(match({variable(false, {1, 2}, Rule::kAccess), variable(true, {2, 3})}), (Pairs{{0, 1}}));
}

TEST(Matcher, RootsTellApartUnlessOneIsNotKnown) {
  SharedVariable first = variable(true, {}, Rule::kAccess);
  first.locations = {{1, 5}};
  SharedVariable same = variable(false, {});
  same.locations = {{1, 5}};
  SharedVariable other = variable(false, {});
  other.locations = {{1, 6}};
  SharedVariable any = variable(false, {});
  any.locations = {{1, 0}};
  EXPECT_EQ(match({first, same, other, any}), (Pairs{{0, 0}, {0, 1}, {0, 3}}));
}

TEST(Matcher, AWriteCanRaceWithItselfAReadCannot) {
  EXPECT_EQ(match({variable(true, {1}, Rule::kSlice)}), (Pairs{{0, 0}}));
  EXPECT_EQ(match({variable(false, {1}, Rule::kSlice)}), Pairs{});
}

TEST(Matcher, APairOfTwoImpactedIsOnePair) {
  EXPECT_EQ(match({variable(false, {1}, Rule::kAccess), variable(true, {1}, Rule::kAccess)}),
            (Pairs{{0, 1}, {1, 1}}));
}

TEST(Matcher, AtomicsRaceWithPlainAccessesAndMatterIfTheyAreWhatChanged) {
  SharedVariable atomic = variable(true, {1}, Rule::kSynchronisation);
  atomic.is_atomic = true;
  SharedVariable other = variable(true, {1});
  other.is_atomic = true;
  EXPECT_EQ(match({atomic, other}), Pairs{});
  EXPECT_EQ(match({atomic, variable(false, {1})}), (Pairs{{0, 1}}));
  atomic.rule = Rule::kAccess;  // its order has been weakened, say
  EXPECT_EQ(match({atomic, other}), (Pairs{{0, 0}, {0, 1}}));
}

TEST(Matcher, AnObjectUnderConstructionIsNobodyElses) {
  SharedVariable own = variable(true, {1});
  own.is_own_construction = true;
  EXPECT_EQ(match({own, variable(false, {1}, Rule::kAccess)}), Pairs{});
}

}  // namespace
}  // namespace heddle::select
