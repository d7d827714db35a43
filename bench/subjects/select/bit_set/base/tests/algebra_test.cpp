// One thread: operations between two sets follow the laws of set algebra.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "bit_set.h"
#include "support.h"

namespace bits {
namespace {

class Algebra : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  Algebra() : left_(capacity()), right_(capacity()), result_(capacity()) {
    Random random(std::get<1>(GetParam()));
    for (std::size_t number = 0; number < capacity(); ++number) {
      if (random.below(3) == 0) left_.set(number);
      if (random.below(2) == 0) right_.set(number);
    }
    result_.assign(left_);
  }

  static std::size_t capacity() { return static_cast<std::size_t>(std::get<0>(GetParam())); }

  BitSet left_;
  BitSet right_;
  BitSet result_;
};

TEST_P(Algebra, UnionContainsBoth) {
  result_.unite(right_);
  EXPECT_TRUE(result_.contains(left_));
  EXPECT_TRUE(result_.contains(right_));
}

TEST_P(Algebra, IntersectionIsInBoth) {
  result_.intersect(right_);
  EXPECT_TRUE(left_.contains(result_));
  EXPECT_TRUE(right_.contains(result_));
  EXPECT_EQ(left_.intersects(right_), !result_.empty());
}

TEST_P(Algebra, DifferenceHasNothingInCommon) {
  result_.subtract(right_);
  EXPECT_FALSE(result_.intersects(right_));
  EXPECT_TRUE(left_.contains(result_));
}

TEST_P(Algebra, TogglingTwiceIsNothing) {
  result_.toggle(right_);
  result_.toggle(right_);
  EXPECT_TRUE(result_.equals(left_));
}

TEST_P(Algebra, SymmetricDifferenceIsUnionWithoutIntersection) {
  result_.toggle(right_);
  BitSet both(capacity());
  both.assign(left_);
  both.intersect(right_);
  BitSet all(capacity());
  all.assign(left_);
  all.unite(right_);
  all.subtract(both);
  EXPECT_TRUE(result_.equals(all));
}

TEST_P(Algebra, TextGivesTheSameSet) {
  BitSet copy(capacity());
  BitSet::parse(left_.to_string(), copy);
  EXPECT_TRUE(copy.equals(left_));
  EXPECT_EQ(copy.hash(), left_.hash());
}

TEST_P(Algebra, WithItself) {
  result_.unite(result_);
  EXPECT_TRUE(result_.equals(left_));
  result_.subtract(result_);
  EXPECT_TRUE(result_.empty());
}

INSTANTIATE_TEST_SUITE_P(Sets, Algebra,
                         testing::Combine(testing::Values(1, 50, 64, 130, 256), testing::Range(1, 6)),
                         [](const auto& info) {
                           return "Capacity" + std::to_string(std::get<0>(info.param)) + "Seed" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(AlgebraErrors, RefuseDifferentCapacities) {
  BitSet left(10);
  const BitSet right(11);
  EXPECT_THROW(left.unite(right), std::invalid_argument);
  EXPECT_THROW(left.equals(right), std::invalid_argument);
}

}  // namespace
}  // namespace bits
