// One thread: ranges, parts of a map, cursors.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "cursor.h"
#include "support.h"
#include "tree_map.h"

namespace ordered {
namespace {

constexpr int kSize = 60;

// A map of the keys 0, 2, 4, ... with the key as value, and one range of it.
class Ranges : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  void SetUp() override {
    std::tie(from_, to_) = GetParam();
    for (int i = 0; i < kSize; ++i) map_.put(2 * i, 2 * i);
    for (int key = std::max(0, from_ + (from_ & 1)); key < std::min(to_, 2 * kSize); key += 2) {
      expected_.push_back({key, key});
    }
  }

  TreeMap map_;
  int from_ = 0;
  int to_ = 0;
  std::vector<Entry> expected_;
};

TEST_P(Ranges, HasTheEntriesBetween) {
  EXPECT_EQ(map_.range(from_, to_), expected_);
}

TEST_P(Ranges, CountIsThatOfTheEntries) {
  EXPECT_EQ(map_.count_range(from_, to_), expected_.size());
}

TEST_P(Ranges, SumIsThatOfTheValues) {
  Value sum = 0;
  for (const auto& entry : expected_) sum += entry.value;
  EXPECT_EQ(map_.sum_range(from_, to_), sum);
}

TEST_P(Ranges, EraseLeavesTheRest) {
  EXPECT_EQ(map_.erase_range(from_, to_), expected_.size());
  EXPECT_EQ(map_.size(), kSize - expected_.size());
  EXPECT_TRUE(map_.range(from_, to_).empty());
  map_.check_invariants();
}

TEST_P(Ranges, AddReachesTheRangeOnly) {
  const Value before = map_.sum_range(-1000, 1000);
  map_.add_to_range(from_, to_, 5);
  EXPECT_EQ(map_.sum_range(-1000, 1000), before + 5 * static_cast<Value>(expected_.size()));
}

TEST_P(Ranges, CursorSeesTheSame) {
  Cursor cursor(map_, from_, to_, 7);
  std::vector<Entry> seen;
  while (const auto entry = cursor.next()) seen.push_back(*entry);
  EXPECT_EQ(seen, expected_);
}

TEST_P(Ranges, PartBehavesLikeAMap) {
  SubMap part = map_.sub_map(from_, to_);
  EXPECT_EQ(part.size(), expected_.size());
  EXPECT_THROW(part.put(to_, 1), std::out_of_range);
  EXPECT_FALSE(part.find(from_ - 2));
  if (expected_.empty()) {
    EXPECT_FALSE(part.first());
    EXPECT_FALSE(part.last());
  } else {
    EXPECT_EQ(part.first(), expected_.front());
    EXPECT_EQ(part.last(), expected_.back());
    EXPECT_TRUE(part.erase(expected_.front().key));
    EXPECT_EQ(part.clear(), expected_.size() - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, Ranges,
                         testing::Values(std::tuple(0, 0), std::tuple(0, 1), std::tuple(1, 2),
                                         std::tuple(0, 120), std::tuple(-50, 20), std::tuple(90, 300),
                                         std::tuple(33, 77), std::tuple(34, 78), std::tuple(-9, -3),
                                         std::tuple(200, 400), std::tuple(59, 61), std::tuple(60, 40)),
                         [](const auto& info) { return "Range" + std::to_string(info.index); });

TEST(Cursor, RefusesAnEmptyPage) {
  const TreeMap map;
  EXPECT_THROW(Cursor(map, 0, 1, 0), std::invalid_argument);
}

TEST(Cursor, SkipsForwards) {
  TreeMap map;
  for (int i = 0; i < 50; ++i) map.put(i, i);
  Cursor cursor(map, 0, 50, 8);
  EXPECT_EQ(cursor.next()->key, 0);
  cursor.skip_to(5);
  EXPECT_EQ(cursor.next()->key, 5);
  cursor.skip_to(30);
  EXPECT_EQ(cursor.next()->key, 30);
  cursor.skip_to(3);
  EXPECT_EQ(cursor.next()->key, 31);
}

TEST(Cursor, SeesWhatIsStoredInFrontOfIt) {
  TreeMap map;
  map.put(1, 1);
  Cursor cursor(map, 0, 100, 1);
  EXPECT_EQ(cursor.next()->key, 1);
  map.put(50, 50);
  EXPECT_EQ(cursor.next()->key, 50);
  EXPECT_FALSE(cursor.next());
}

}  // namespace
}  // namespace ordered
