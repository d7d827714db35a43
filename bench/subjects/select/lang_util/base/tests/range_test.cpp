// One thread: the relations between ranges, for every pair of a dozen of them.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>

#include "range.h"

namespace lang {
namespace {

constexpr std::pair<Range::Number, Range::Number> kRanges[] = {
    {0, 0}, {0, 1},   {1, 5}, {5, 1},      {-5, 5}, {3, 4},
    {6, 9}, {-9, -6}, {5, 6}, {-100, 100}, {7, 7},  {4, 1'000'000},
};
constexpr int kRangeCount = std::size(kRanges);

class Relations : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  static Range range(int index) { return Range::between(kRanges[index].first, kRanges[index].second); }

  Relations() : left_(range(std::get<0>(GetParam()))), right_(range(std::get<1>(GetParam()))) {}

  Range left_;
  Range right_;
};

TEST_P(Relations, OneOfThreeHolds) {
  EXPECT_EQ(left_.is_before(right_) + left_.is_after(right_) + left_.overlaps(right_), 1);
  EXPECT_EQ(left_.overlaps(right_), right_.overlaps(left_));
  EXPECT_EQ(left_.is_before(right_), right_.is_after(left_));
}

TEST_P(Relations, IntersectionIsInBoth) {
  const auto common = left_.intersection(right_);
  ASSERT_EQ(common.has_value(), left_.overlaps(right_));
  if (common) {
    EXPECT_TRUE(left_.contains(*common));
    EXPECT_TRUE(right_.contains(*common));
  }
}

TEST_P(Relations, SpanContainsBoth) {
  const Range span = left_.span(right_);
  EXPECT_TRUE(span.contains(left_));
  EXPECT_TRUE(span.contains(right_));
  EXPECT_LE(left_.count(), span.count());
}

std::vector<Relations::ParamType> pairs() {
  std::vector<Relations::ParamType> result;
  for (int first = 0; first < kRangeCount; ++first) {
    for (int second = first; second < kRangeCount; ++second) result.emplace_back(first, second);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, Relations, testing::ValuesIn(pairs()), [](const auto& info) {
  return std::to_string(std::get<0>(info.param)) + "And" + std::to_string(std::get<1>(info.param));
});

class Single : public testing::TestWithParam<int> {
 protected:
  Range range_ = Range::between(kRanges[GetParam()].first, kRanges[GetParam()].second);
};

TEST_P(Single, TextGivesTheRangeAgain) {
  const Range again = Range::parse(range_.to_string());
  EXPECT_TRUE(again == range_);
  EXPECT_EQ(again.hash(), range_.hash());
  EXPECT_EQ(&range_.to_string(), &range_.to_string());
}

TEST_P(Single, FitStaysInside) {
  for (const Range::Number number : {-1000, -1, 0, 3, 6, 2'000'000}) {
    EXPECT_TRUE(range_.contains(range_.fit(number)));
    EXPECT_EQ(range_.fit(number) == number, range_.contains(number)) << number;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Single, testing::Range(0, kRangeCount));

TEST(Range, RefusesWhatIsNoRange) {
  for (const char* text : {"", "[1..", "1..5", "[1.5]", "[a..5]", "[1..5x]", "[..]"}) {
    EXPECT_THROW(Range::parse(text), std::invalid_argument) << text;
  }
}

TEST(Range, HashTellsRangesApart) {
  EXPECT_NE(Range::between(1, 2).hash(), Range::between(1, 3).hash());
}

}  // namespace
}  // namespace lang
