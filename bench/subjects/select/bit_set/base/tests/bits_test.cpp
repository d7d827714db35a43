// One thread: single numbers and ranges, for sets of many sizes, and the allocator of ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "bit_set.h"
#include "id_allocator.h"
#include "support.h"

namespace bits {
namespace {

TEST(BitSet, RefusesNumbersItHasNoRoomFor) {
  BitSet set(10);
  EXPECT_THROW(set.test(10), std::out_of_range);
  EXPECT_THROW(set.set(10), std::out_of_range);
  EXPECT_THROW(set.set_range(5, 11), std::out_of_range);
  EXPECT_THROW(set.set_range(5, 4), std::out_of_range);
}

TEST(BitSet, ReadsText) {
  BitSet set(8);
  BitSet::parse("01101", set);
  EXPECT_EQ(set.to_string(), "01101000");
  EXPECT_EQ(set.numbers(), (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_THROW(BitSet::parse("012", set), std::invalid_argument);
  EXPECT_THROW(BitSet::parse("000000000", set), std::invalid_argument);
}

TEST(BitSet, CountsChanges) {
  BitSet set(8);
  const auto before = set.version();
  set.set(1);
  set.set(1);
  set.reset(2);
  EXPECT_EQ(set.version(), before + 1);
}

TEST(BitSet, HashDependsOnTheNumbers) {
  BitSet left(100);
  BitSet right(100);
  EXPECT_EQ(left.hash(), right.hash());
  left.set(99);
  EXPECT_NE(left.hash(), right.hash());
}

TEST(IdAllocator, HandsOutEachIdOnce) {
  IdAllocator allocator(3);
  EXPECT_EQ(allocator.acquire(), 0U);
  EXPECT_EQ(allocator.acquire(), 1U);
  EXPECT_EQ(allocator.acquire(), 2U);
  EXPECT_FALSE(allocator.try_acquire());
  allocator.release(1);
  EXPECT_EQ(allocator.acquire(), 1U);
  EXPECT_EQ(allocator.acquisitions(), 4U);
  EXPECT_EQ(allocator.waits(), 0U);
}

TEST(IdAllocator, RefusesAnIdThatNobodyHas) {
  IdAllocator allocator(3);
  EXPECT_THROW(allocator.release(1), std::logic_error);
}

TEST(ScopedId, GivesItselfBack) {
  IdAllocator allocator(1);
  {
    const ScopedId id(allocator);
    EXPECT_TRUE(allocator.is_used(id.get()));
  }
  EXPECT_EQ(allocator.in_use(), 0U);
}

// Operations drawn at random do to the set what they do to a std::set.
class Model : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Model, BehavesLikeASet) {
  const auto [capacity, seed] = GetParam();
  Random random(seed);
  BitSet set(capacity);
  std::set<std::size_t> model;
  for (int step = 0; step < 200; ++step) {
    const auto number = static_cast<std::size_t>(random.below(capacity));
    switch (random.below(6)) {
      case 0:
      case 1:
        EXPECT_EQ(set.set(number), !model.insert(number).second);
        break;
      case 2:
        EXPECT_EQ(set.reset(number), model.erase(number) == 1);
        break;
      case 3:
        EXPECT_EQ(set.flip(number), model.count(number) == 1);
        if (model.erase(number) == 0) model.insert(number);
        break;
      case 4:
        EXPECT_EQ(set.test(number), model.count(number) == 1);
        break;
      default: {
        const auto next = model.lower_bound(number);
        EXPECT_EQ(set.next_set(number).value_or(9999), next == model.end() ? 9999 : *next);
      }
    }
  }
  EXPECT_EQ(set.numbers(), std::vector<std::size_t>(model.begin(), model.end()));
}

INSTANTIATE_TEST_SUITE_P(Random, Model,
                         testing::Combine(testing::Values(1, 63, 64, 65, 300), testing::Range(1, 21)),
                         [](const auto& info) {
                           return "Capacity" + std::to_string(std::get<0>(info.param)) + "Seed" +
                                  std::to_string(std::get<1>(info.param));
                         });

// A set for 200 numbers with every third in it, and one range.
class Ranges : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  void SetUp() override {
    std::tie(from_, to_) = GetParam();
    for (std::size_t number = 0; number < 200; number += 3) set_.set(number);
    for (std::size_t number = 0; number < 200; ++number) expected_.push_back(number % 3 == 0 ? '1' : '0');
  }

  BitSet set_{200};
  std::string expected_;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
};

TEST_P(Ranges, SetReachesTheRangeOnly) {
  set_.set_range(from_, to_);
  std::fill(expected_.begin() + from_, expected_.begin() + to_, '1');
  EXPECT_EQ(set_.to_string(), expected_);
}

TEST_P(Ranges, ResetReachesTheRangeOnly) {
  set_.reset_range(from_, to_);
  std::fill(expected_.begin() + from_, expected_.begin() + to_, '0');
  EXPECT_EQ(set_.to_string(), expected_);
}

TEST_P(Ranges, FlipReachesTheRangeOnly) {
  set_.flip_range(from_, to_);
  for (std::size_t i = from_; i < to_; ++i) expected_[i] = expected_[i] == '1' ? '0' : '1';
  EXPECT_EQ(set_.to_string(), expected_);
}

TEST_P(Ranges, CountIsThatOfTheNumbers) {
  const auto expected = std::count(expected_.begin() + from_, expected_.begin() + to_, '1');
  EXPECT_EQ(set_.count_range(from_, to_), static_cast<std::size_t>(expected));
}

TEST_P(Ranges, CardinalityAndLengthFollow) {
  EXPECT_EQ(set_.cardinality(), 67U);
  EXPECT_EQ(set_.length(), 199U);
  set_.reset_range(from_, to_);
  std::fill(expected_.begin() + from_, expected_.begin() + to_, '0');
  EXPECT_EQ(set_.cardinality(),
            static_cast<std::size_t>(std::count(expected_.begin(), expected_.end(), '1')));
  EXPECT_EQ(set_.length(), expected_.rfind('1') + 1);
  set_.clear();
  EXPECT_EQ(set_.length(), 0U);
  EXPECT_EQ(set_.cardinality(), 0U);
}

TEST_P(Ranges, SelectFindsTheNumberAgain) {
  set_.reset_range(from_, to_);
  const auto numbers = set_.numbers();
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(set_.select(i), numbers[i]);
  EXPECT_FALSE(set_.select(numbers.size()));
}

INSTANTIATE_TEST_SUITE_P(Bounds, Ranges,
                         testing::Values(std::tuple(0, 0), std::tuple(0, 1), std::tuple(0, 64),
                                         std::tuple(0, 65), std::tuple(63, 64), std::tuple(64, 128),
                                         std::tuple(10, 190), std::tuple(0, 200), std::tuple(199, 200),
                                         std::tuple(128, 199), std::tuple(5, 60), std::tuple(100, 100)),
                         [](const auto& info) { return "Range" + std::to_string(info.index); });

}  // namespace
}  // namespace bits
