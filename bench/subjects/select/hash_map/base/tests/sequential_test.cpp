// One thread: each operation alone, and long sequences of operations against std::unordered_map.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>

#include "hash_map.h"
#include "support.h"

namespace collections {
namespace {

using Map = HashMap<int, int>;
using Mapped = Map::Mapped;

TEST(HashMap, IsEmptyAtFirst) {
  const Map map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.bucket_count(), Map::kDefaultCapacity);
}

TEST(HashMap, RoundsTheCapacityUpToAPowerOfTwo) {
  EXPECT_EQ(Map(33).bucket_count(), 64U);
}

TEST(HashMap, RefusesALoadFactorOfZero) {
  EXPECT_THROW(Map(16, 0.0F), std::invalid_argument);
}

TEST(HashMap, TellsAMissingKeyFromAMissingValue) {
  Map map;
  map.put_null(1);
  EXPECT_TRUE(map.get(1).has_value());
  EXPECT_FALSE(map.get(1)->has_value());
  EXPECT_FALSE(map.get(2).has_value());
  EXPECT_EQ(map.get_or(1, 5), 5);
}

TEST(HashMap, FindsEntriesWithoutValue) {
  Map map;
  map.put(1, 10);
  EXPECT_FALSE(map.contains_value(std::nullopt));
  map.put_null(2);
  EXPECT_TRUE(map.contains_value(std::nullopt));
  EXPECT_TRUE(map.contains_value(10));
  EXPECT_FALSE(map.contains_value(11));
}

TEST(HashMap, ComputeRemovesWhenTheResultIsEmpty) {
  Map map;
  map.put(1, 10);
  EXPECT_EQ(map.compute(1, [](const Mapped&) { return Mapped(); }), Mapped());
  EXPECT_FALSE(map.contains_key(1));
}

TEST(HashMap, MergeAdds) {
  Map map;
  for (int i = 0; i < 5; ++i) map.merge(7, i, [](int a, int b) { return a + b; });
  EXPECT_EQ(map.get_or(7, -1), 10);
}

TEST(HashMap, ReplacesExactlyTheExpectedValue) {
  Map map;
  map.put(1, 10);
  EXPECT_FALSE(map.replace_exactly(1, 11, 12));
  EXPECT_TRUE(map.replace_exactly(1, 10, 12));
  EXPECT_EQ(map.get_or(1, 0), 12);
  EXPECT_FALSE(map.replace(2, 1).has_value());
}

TEST(HashMap, RemovesExactlyTheExpectedValue) {
  Map map;
  map.put(1, 10);
  EXPECT_FALSE(map.remove_exactly(1, 11));
  EXPECT_TRUE(map.remove_exactly(1, 10));
  EXPECT_TRUE(map.empty());
}

TEST(HashMap, CursorSeesEveryEntryOnce) {
  Map map;
  for (int i = 0; i < 40; ++i) map.put(i, i * i);
  Map::Cursor cursor(map);
  int sum = 0;
  while (const auto entry = cursor.next()) sum += entry->first;
  EXPECT_EQ(sum, 780);
}

TEST(HashMap, CursorNoticesAModification) {
  Map map;
  map.put(1, 1);
  Map::Cursor cursor(map);
  map.put(2, 2);
  EXPECT_THROW(cursor.next(), ConcurrentModification);
}

TEST(HashMap, CursorNoticesThatTheMapWasCleared) {
  Map map;
  map.put(1, 1);
  Map::Cursor cursor(map);
  map.clear();
  EXPECT_THROW(cursor.next(), ConcurrentModification);
}

TEST(HashMap, SwapExchangesTheEntries) {
  Map left;
  Map right(128);
  left.put(1, 1);
  left.swap(right);
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(right.get_or(1, 0), 1);
  left.swap(left);
  EXPECT_TRUE(left.empty());
}

TEST(HashMap, EqualsIgnoresTheOrderOfInsertion) {
  Map left;
  Map right(256);
  for (int i = 0; i < 20; ++i) left.put(i, i);
  for (int i = 19; i >= 0; --i) right.put(i, i);
  EXPECT_TRUE(left.equals(right));
  EXPECT_TRUE(left.equals(left));
  right.put(3, 4);
  EXPECT_FALSE(left.equals(right));
}

TEST(HashMap, CountsHitsAndMisses) {
  Map map;
  map.put(1, 1);
  map.get(1);
  map.get(2);
  map.get(3);
  const Statistics statistics = map.statistics();
  EXPECT_EQ(statistics.hits, 1U);
  EXPECT_EQ(statistics.misses, 2U);
  EXPECT_NEAR(statistics.hit_rate(), 1.0 / 3, 1e-9);
  EXPECT_EQ(statistics.to_string(), "1 entries in 16 buckets, 1 hits, 2 misses, 0 resizes");
  map.reset_statistics();
  EXPECT_EQ(map.statistics().hit_rate(), 0.0);
}

TEST(HashMap, ShrinksToWhatItNeeds) {
  Map map(1024);
  map.put(1, 1);
  map.shrink_to_fit();
  EXPECT_LT(map.bucket_count(), 8U);
  EXPECT_EQ(map.get_or(1, 0), 1);
}

TEST(HashMap, TakesStringsAsKeys) {
  HashMap<std::string, std::string> map;
  for (int i = 0; i < 100; ++i) map.put("key " + std::to_string(i), std::to_string(i));
  EXPECT_EQ(map.get_or("key 42", ""), "42");
  EXPECT_EQ(map.size(), 100U);
  map.check_invariants();
}

// Operations drawn at random do to the map what they do to a std::unordered_map.
class Model : public testing::TestWithParam<std::tuple<Distribution, int, int>> {};

TEST_P(Model, BehavesLikeAnUnorderedMap) {
  const auto [distribution, keys, seed] = GetParam();
  Random random(seed);
  Map map(1 << (seed % 6), seed % 2 == 0 ? 0.75F : 3.0F);
  std::unordered_map<int, Mapped> model;
  for (int step = 0; step < 300; ++step) {
    const int key = key_of(distribution, random.below(keys));
    const int value = random.below(50);
    const auto known = model.find(key);
    switch (random.below(9)) {
      case 0:
      case 1:
        EXPECT_EQ(map.put(key, value).has_value(), known != model.end());
        model[key] = value;
        break;
      case 2:
        EXPECT_EQ(map.put_if_absent(key, value), known == model.end());
        model.try_emplace(key, value);
        break;
      case 3:
        EXPECT_EQ(map.remove(key).has_value(), model.erase(key) == 1);
        break;
      case 4:
        EXPECT_EQ(map.contains_key(key), known != model.end());
        break;
      case 5:
        EXPECT_EQ(map.replace(key, value).has_value(), known != model.end());
        if (known != model.end()) known->second = value;
        break;
      case 6:
        map.put_null(key);
        model[key] = std::nullopt;
        break;
      case 7:
        EXPECT_EQ(map.get_or(key, -1), known != model.end() && known->second ? *known->second : -1);
        break;
      default:
        EXPECT_EQ(map.size(), model.size());
    }
  }
  map.check_invariants();
  EXPECT_EQ(map.entries().size(), model.size());
  for (const auto& [key, value] : map.entries()) EXPECT_EQ(model.at(key), value);
}

std::string model_name(const testing::TestParamInfo<Model::ParamType>& info) {
  const auto& [distribution, keys, seed] = info.param;
  return name_of(distribution) + std::to_string(keys) + "Keys" + std::to_string(seed);
}

INSTANTIATE_TEST_SUITE_P(Random, Model,
                         testing::Combine(testing::Values(Distribution::kDense, Distribution::kSparse,
                                                          Distribution::kClustered, Distribution::kColliding),
                                          testing::Values(4, 24, 160), testing::Range(1, 17)),
                         model_name);

// Bulk operations on maps of many sizes.
class Bulk : public testing::TestWithParam<std::tuple<Distribution, int>> {
 protected:
  void SetUp() override {
    std::tie(distribution_, size_) = GetParam();
    std::vector<Map::Entry> entries;
    for (int i = 0; i < size_; ++i) entries.emplace_back(key_of(distribution_, i), i);
    map_.put_all(entries);
  }

  int key(int number) const { return key_of(distribution_, number); }

  Distribution distribution_{};
  int size_ = 0;
  Map map_;
};

TEST_P(Bulk, PutAllStoresEveryEntry) {
  EXPECT_EQ(map_.size(), static_cast<std::size_t>(size_));
  for (int i = 0; i < size_; ++i) EXPECT_EQ(map_.get_or(key(i), -1), i);
  map_.check_invariants();
}

TEST_P(Bulk, RemoveIfRemovesTheOddOnes) {
  const auto odd = [](int, const Mapped& value) { return *value % 2 == 1; };
  EXPECT_EQ(map_.remove_if(odd), static_cast<std::size_t>(size_ / 2));
  map_.check_invariants();
}

TEST_P(Bulk, RetainAllKeepsTheKeys) {
  std::vector<int> kept;
  for (int i = 0; i < size_; i += 3) kept.push_back(key(i));
  map_.retain_all(kept);
  auto keys = map_.keys();
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(keys, kept);
}

TEST_P(Bulk, ReplaceAllKeepsTheKeys) {
  map_.replace_all([](int, const Mapped& value) { return *value + 1; });
  for (int i = 0; i < size_; ++i) EXPECT_EQ(map_.get_or(key(i), -1), i + 1);
}

TEST_P(Bulk, ReserveMeansNoResizeLater) {
  Map map;
  map.reserve(size_);
  const std::size_t buckets = map.bucket_count();
  for (int i = 0; i < size_; ++i) map.put(key(i), i);
  EXPECT_EQ(map.bucket_count(), buckets);
  EXPECT_TRUE(map.equals(map_));
}

TEST_P(Bulk, ClearLeavesNothing) {
  map_.clear();
  EXPECT_TRUE(map_.empty());
  EXPECT_TRUE(map_.values().empty());
  map_.check_invariants();
}

std::string bulk_name(const testing::TestParamInfo<Bulk::ParamType>& info) {
  return name_of(std::get<0>(info.param)) + std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Bulk,
                         testing::Combine(testing::Values(Distribution::kDense, Distribution::kSparse,
                                                          Distribution::kColliding),
                                          testing::Values(0, 1, 7, 64, 150)),
                         bulk_name);

}  // namespace
}  // namespace collections
