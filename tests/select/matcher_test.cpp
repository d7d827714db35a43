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

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

Pairs pairs_of(const std::vector<SharedVariable>& variables) {
  Pairs pairs;
  for (const ImpactedPair& pair : match(variables)) pairs.emplace_back(pair.first, pair.second);
  return pairs;
}

TEST(Matcher, NeedsACommonLocationAWriteAndAnImpactedSide) {
  EXPECT_EQ(pairs_of({variable(true, {1}, Rule::kAccess), variable(false, {1})}), (Pairs{{0, 0}, {0, 1}}));
  EXPECT_EQ(pairs_of({variable(true, {1}), variable(false, {1})}), Pairs{});
  EXPECT_EQ(pairs_of({variable(false, {1}, Rule::kAccess), variable(false, {1})}), Pairs{});
  EXPECT_EQ(pairs_of({variable(false, {1, 2}, Rule::kAccess), variable(true, {3})}), Pairs{});
  EXPECT_EQ(pairs_of({variable(false, {1, 2}, Rule::kAccess), variable(true, {2, 3})}), (Pairs{{0, 1}}));
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
  EXPECT_EQ(pairs_of({first, same, other, any}), (Pairs{{0, 0}, {0, 1}, {0, 3}}));
}

TEST(Matcher, IsSureOfEqualRootsAndOfTheProgramsOwnVariables) {
  const auto is_sure = [](Location a, Location b) {
    SharedVariable first = variable(false, {}, Rule::kAccess);
    first.locations = {a};
    SharedVariable second = variable(true, {});
    second.locations = {b};
    return match({first, second}).front().is_sure;
  };
  EXPECT_TRUE(is_sure({1, 5}, {1, 5}));
  EXPECT_FALSE(is_sure({1, 5}, {1, 0}));
  EXPECT_FALSE(is_sure({1, 0}, {1, 0}));
  EXPECT_TRUE(is_sure({1, 5, true}, {1, 0, true}));
}

TEST(Matcher, AWriteCanRaceWithItselfAReadCannot) {
  EXPECT_EQ(pairs_of({variable(true, {1}, Rule::kSlice)}), (Pairs{{0, 0}}));
  EXPECT_EQ(pairs_of({variable(false, {1}, Rule::kSlice)}), Pairs{});
}

TEST(Matcher, APairOfTwoImpactedIsOnePair) {
  EXPECT_EQ(pairs_of({variable(false, {1}, Rule::kAccess), variable(true, {1}, Rule::kAccess)}),
            (Pairs{{0, 1}, {1, 1}}));
}

TEST(Matcher, AtomicsRaceWithPlainAccessesAndMatterIfTheyAreWhatChanged) {
  SharedVariable atomic = variable(true, {1}, Rule::kSynchronisation);
  atomic.is_atomic = true;
  SharedVariable other = variable(true, {1});
  other.is_atomic = true;
  EXPECT_EQ(pairs_of({atomic, other}), Pairs{});
  EXPECT_EQ(pairs_of({atomic, variable(false, {1})}), (Pairs{{0, 1}}));
  atomic.rule = Rule::kAccess;  // its order has been weakened, say
  EXPECT_EQ(pairs_of({atomic, other}), (Pairs{{0, 0}, {0, 1}}));
}

TEST(Matcher, AnObjectUnderConstructionIsNobodyElses) {
  SharedVariable own = variable(true, {1});
  own.is_own_construction = true;
  EXPECT_EQ(pairs_of({own, variable(false, {1}, Rule::kAccess)}), Pairs{});
}

}  // namespace
}  // namespace heddle::select
