// One thread: single keys, neighbours and positions, against std::map.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "support.h"
#include "tree_map.h"

namespace ordered {
namespace {

TEST(TreeMap, IsEmptyAtFirst) {
  const TreeMap map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.height(), 0);
  EXPECT_FALSE(map.first());
  EXPECT_FALSE(map.last());
  EXPECT_FALSE(map.median());
}

TEST(TreeMap, InsertKeepsTheFirstValue) {
  TreeMap map;
  EXPECT_TRUE(map.insert(1, 10));
  EXPECT_FALSE(map.insert(1, 20));
  EXPECT_EQ(map.find(1), 10);
  EXPECT_EQ(map.put(1, 30), 10);
  EXPECT_EQ(map.find(1), 30);
}

TEST(TreeMap, AssignNeedsAPresentKey) {
  TreeMap map;
  EXPECT_FALSE(map.assign(1, 10));
  map.put(1, 5);
  EXPECT_TRUE(map.assign(1, 10));
  EXPECT_EQ(map.find(1), 10);
}

TEST(TreeMap, AddBeginsAtZero) {
  TreeMap map;
  EXPECT_EQ(map.add(3, 4), 4);
  EXPECT_EQ(map.add(3, 5), 9);
}

TEST(TreeMap, PollsInOrder) {
  TreeMap map;
  for (const Key key : {5, 1, 3}) map.put(key, key);
  EXPECT_EQ(map.poll_first()->key, 1);
  EXPECT_EQ(map.poll_first()->key, 3);
  EXPECT_EQ(map.poll_first()->key, 5);
  EXPECT_FALSE(map.poll_first());
}

TEST(TreeMap, StaysFlatUnderAscendingKeys) {
  TreeMap map;
  for (Key key = 0; key < 1000; ++key) map.put(key, key);
  EXPECT_LE(map.height(), 11);
  map.check_invariants();
}

TEST(TreeMap, RefusesUnsortedEntries) {
  TreeMap map;
  EXPECT_THROW(map.assign_sorted({{2, 0}, {1, 0}}), std::invalid_argument);
  EXPECT_THROW(map.assign_sorted({{1, 0}, {1, 0}}), std::invalid_argument);
}

TEST(TreeMap, CountsLookups) {
  TreeMap map;
  map.find(1);
  map.contains(1);
  map.rank(1);
  map.select(0);
  EXPECT_EQ(map.lookups(), 4U);
}

TEST(TreeMap, MergeLeavesWhatIsThereAlready) {
  TreeMap left;
  TreeMap right;
  left.put(1, 1);
  right.put(1, 100);
  right.put(2, 2);
  EXPECT_EQ(left.merge_from(right), 1U);
  EXPECT_EQ(left.size(), 2U);
  EXPECT_EQ(right.find(1), 100);
  EXPECT_EQ(right.size(), 1U);
  EXPECT_EQ(left.merge_from(left), 0U);
}

// Operations drawn at random do to the map what they do to a std::map.
class Model : public testing::TestWithParam<std::tuple<Distribution, int, int>> {};

TEST_P(Model, BehavesLikeAMap) {
  const auto [distribution, keys, seed] = GetParam();
  Random random(seed);
  TreeMap map;
  std::map<Key, Value> model;
  for (int step = 0; step < 200; ++step) {
    const Key key = key_of(distribution, random.below(keys));
    const Value value = random.below(1000);
    switch (random.below(6)) {
      case 0:
      case 1:
        EXPECT_EQ(map.put(key, value).has_value(), model.count(key) == 1);
        model[key] = value;
        break;
      case 2:
        EXPECT_EQ(map.insert(key, value), model.try_emplace(key, value).second);
        break;
      case 3:
        EXPECT_EQ(map.erase(key).has_value(), model.erase(key) == 1);
        break;
      case 4:
        EXPECT_EQ(map.find(key).has_value(), model.count(key) == 1);
        break;
      default:
        EXPECT_EQ(map.add(key, value), model[key] += value);
    }
  }
  map.check_invariants();
  std::vector<Entry> expected;
  for (const auto& [key, value] : model) expected.push_back({key, value});
  EXPECT_EQ(map.entries(), expected);
}

std::string model_name(const testing::TestParamInfo<Model::ParamType>& info) {
  const auto& [distribution, keys, seed] = info.param;
  return name_of(distribution) + std::to_string(keys) + "Keys" + std::to_string(seed);
}

INSTANTIATE_TEST_SUITE_P(Random, Model,
                         testing::Combine(testing::Values(Distribution::kDense, Distribution::kSparse,
                                                          Distribution::kClustered),
                                          testing::Values(6, 40, 150), testing::Range(1, 13)),
                         model_name);

// Neighbours and positions in maps of many sizes. Keys are 0, 3, 6, ...
class Positions : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    std::vector<Entry> entries;
    for (int i = 0; i < GetParam(); ++i) entries.push_back({3 * i, i});
    map_.assign_sorted(entries);
  }

  TreeMap map_;
};

TEST_P(Positions, SelectAndRankAreInverse) {
  for (int i = 0; i < GetParam(); ++i) {
    EXPECT_EQ(map_.select(i)->key, 3 * i);
    EXPECT_EQ(map_.rank(3 * i), static_cast<std::size_t>(i));
    EXPECT_EQ(map_.rank(3 * i + 1), static_cast<std::size_t>(i) + 1);
  }
  EXPECT_FALSE(map_.select(GetParam()));
}

TEST_P(Positions, NeighboursAreNext) {
  for (int i = 1; i + 1 < GetParam(); ++i) {
    EXPECT_EQ(map_.floor(3 * i)->key, 3 * i);
    EXPECT_EQ(map_.floor(3 * i + 2)->key, 3 * i);
    EXPECT_EQ(map_.lower(3 * i)->key, 3 * (i - 1));
    EXPECT_EQ(map_.ceiling(3 * i)->key, 3 * i);
    EXPECT_EQ(map_.ceiling(3 * i - 1)->key, 3 * i);
    EXPECT_EQ(map_.higher(3 * i)->key, 3 * (i + 1));
  }
  EXPECT_FALSE(map_.lower(0));
  EXPECT_FALSE(map_.higher(3 * GetParam()));
}

TEST_P(Positions, MedianIsInTheMiddle) {
  if (GetParam() == 0) {
    EXPECT_FALSE(map_.median());
  } else {
    EXPECT_EQ(map_.median()->value, GetParam() / 2);
  }
}

TEST_P(Positions, ErasingEverySecondKeepsTheBalance) {
  for (int i = 0; i < GetParam(); i += 2) EXPECT_TRUE(map_.erase(3 * i));
  EXPECT_EQ(map_.size(), static_cast<std::size_t>(GetParam() / 2));
  EXPECT_NO_THROW(map_.check_invariants());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Positions, testing::Values(0, 1, 2, 3, 10, 31, 64, 100, 200),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace ordered
