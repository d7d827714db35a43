// Several threads: every pair of operations side by side, and a few longer scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "hash_map.h"
#include "support.h"

namespace collections {
namespace {

using Map = HashMap<int, int>;
using Mapped = Map::Mapped;

constexpr int kKeys = 24;

// Something that a thread does to a shared map again and again. `number` tells the calls apart.
struct Operation {
  const char* name;
  void (*run)(Map& map, int number);
};

const Operation kOperations[] = {
    {"Get", [](Map& map, int number) { EXPECT_LT(map.get_or(number % kKeys, 0), 1'000'000); }},
    {"ContainsKey", [](Map& map, int number) { EXPECT_FALSE(map.contains_key(-1 - number)); }},
    {"ContainsValue", [](Map& map, int number) { EXPECT_FALSE(map.contains_value(2'000'000 + number)); }},
    {"ContainsNull", [](Map& map, int) { map.contains_value(std::nullopt); }},
    {"Put", [](Map& map, int number) { map.put(number % (2 * kKeys), number); }},
    {"PutIfAbsent", [](Map& map, int number) { map.put_if_absent(number % (2 * kKeys), number); }},
    {"PutAll", [](Map& map, int number) { map.put_all({{number % kKeys, 1}, {number % kKeys + kKeys, 2}}); }},
    {"Remove", [](Map& map, int number) { map.remove(number % kKeys); }},
    {"RemoveExactly", [](Map& map, int number) { map.remove_exactly(number % kKeys, number % kKeys); }},
    {"RemoveIf",
     [](Map& map, int number) {
       map.remove_if([=](int key, const Mapped&) { return key % kKeys == number % kKeys; });
     }},
    {"Replace", [](Map& map, int number) { map.replace(number % kKeys, number); }},
    {"ReplaceExactly",
     [](Map& map, int number) { map.replace_exactly(number % kKeys, number % kKeys, number); }},
    {"Merge",
     [](Map& map, int number) { map.merge(number % kKeys, 1, [](int a, int b) { return std::max(a, b); }); }},
    {"Clear", [](Map& map, int) { map.clear(); }},
    {"Reserve", [](Map& map, int number) { map.reserve(kKeys + number); }},
    {"ShrinkToFit", [](Map& map, int) { map.shrink_to_fit(); }},
    {"ForEach",
     [](Map& map, int) { map.for_each([](int key, const Mapped&) { EXPECT_LT(key, 2 * kKeys); }); }},
    {"Cursor",
     [](Map& map, int) {
       Map::Cursor cursor(map);
       try {
         while (const auto entry = cursor.next()) EXPECT_LT(entry->first, 2 * kKeys);
       } catch (const ConcurrentModification&) {
         // Another thread was faster: what a cursor is allowed to say.
       }
     }},
    {"Size", [](Map& map, int) { EXPECT_LE(map.size(), 2U * kKeys); }},
    {"Statistics", [](Map& map, int) { EXPECT_LE(map.statistics().entries, 2U * kKeys); }},
};
constexpr int kOperationCount = std::size(kOperations);

// Threads with an even index run the first operation, the others the second one.
class Pairs : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Pairs, LeaveTheMapSound) {
  const auto [first, second, threads] = GetParam();
  Map map(4);
  for (int i = 0; i < kKeys; i += 2) map.put(i, i);
  run_threads(threads, [&, first = first, second = second](int index) {
    const Operation& operation = kOperations[index % 2 == 0 ? first : second];
    for (int round = 0; round < 4; ++round) operation.run(map, index * 5 + round * 7);
  });
  EXPECT_NO_THROW(map.check_invariants());
}

std::vector<Pairs::ParamType> all_pairs() {
  std::vector<Pairs::ParamType> pairs;
  for (int first = 0; first < kOperationCount; ++first) {
    for (int second = first; second < kOperationCount; ++second) {
      const int threads = (first + second) % 7 == 0 ? 4 : 2;
      pairs.emplace_back(first, second, threads);
    }
  }
  return pairs;
}

std::string pair_name(const testing::TestParamInfo<Pairs::ParamType>& info) {
  const auto& [first, second, threads] = info.param;
  return std::string(kOperations[first].name) + "And" + kOperations[second].name + "In" +
         std::to_string(threads);
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(all_pairs()), pair_name);

int index_of(const std::string& name) {
  const auto named = [&](const Operation& operation) { return operation.name == name; };
  return static_cast<int>(std::find_if(std::begin(kOperations), std::end(kOperations), named) - kOperations);
}

// Readers beside writers, with more threads.
std::vector<Pairs::ParamType> readers_and_writers() {
  const std::vector<std::string> readers = {"Get", "ContainsNull", "ForEach", "Cursor", "Size", "Statistics"};
  const std::vector<std::string> writers = {"Put", "Remove", "Replace", "Merge", "PutAll", "RemoveIf"};
  std::vector<Pairs::ParamType> pairs;
  for (const auto& reader : readers) {
    for (const auto& writer : writers) {
      for (const int threads : {3, 6, 12}) pairs.emplace_back(index_of(reader), index_of(writer), threads);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Many, Pairs, testing::ValuesIn(readers_and_writers()), pair_name);

// Operations that seldom meet, in crowds.
std::vector<Pairs::ParamType> rare_pairs() {
  const std::pair<const char*, const char*> chosen[] = {
      {"Clear", "Cursor"},    {"ContainsNull", "Clear"}, {"ContainsNull", "ReplaceExactly"},
      {"Get", "ShrinkToFit"}, {"Reserve", "Put"},        {"RemoveExactly", "PutIfAbsent"},
  };
  std::vector<Pairs::ParamType> pairs;
  for (const auto& [first, second] : chosen) {
    for (const int threads : {3, 5, 9, 16}) pairs.emplace_back(index_of(first), index_of(second), threads);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Rare, Pairs, testing::ValuesIn(rare_pairs()), pair_name);

// Scenarios with more threads.
class Crowd : public testing::TestWithParam<int> {};

TEST_P(Crowd, EachThreadFindsItsOwnEntries) {
  const int threads = GetParam();
  Map map;
  run_threads(threads, [&](int index) {
    for (int i = 0; i < 20; ++i) map.put(index * 100 + i, i);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(map.get_or(index * 100 + i, -1), i);
  });
  EXPECT_EQ(map.size(), static_cast<std::size_t>(threads) * 20);
  map.check_invariants();
}

TEST_P(Crowd, MergeLosesNoUpdate) {
  const int threads = GetParam();
  Map map;
  run_threads(threads, [&](int) {
    for (int i = 0; i < 10; ++i) map.merge(i % 3, 1, [](int a, int b) { return a + b; });
  });
  EXPECT_EQ(map.get_or(0, 0) + map.get_or(1, 0) + map.get_or(2, 0), threads * 10);
}

TEST_P(Crowd, OneThreadOnlyPutsAnAbsentKey) {
  const int threads = GetParam();
  Map map;
  std::vector<int> wins(threads, 0);
  run_threads(threads, [&](int index) {
    for (int i = 0; i < 8; ++i) wins[index] += map.put_if_absent(i, index) ? 1 : 0;
  });
  EXPECT_EQ(std::accumulate(wins.begin(), wins.end(), 0), 8);
}

TEST_P(Crowd, EveryEntryIsRemovedOnce) {
  const int threads = GetParam();
  Map map;
  for (int i = 0; i < 30; ++i) map.put(i, i);
  std::vector<int> removed(threads, 0);
  run_threads(threads, [&](int index) {
    for (int i = 0; i < 30; ++i) removed[index] += map.remove(i) ? 1 : 0;
  });
  EXPECT_EQ(std::accumulate(removed.begin(), removed.end(), 0), 30);
  EXPECT_TRUE(map.empty());
}

TEST_P(Crowd, LookupsAreAllCounted) {
  const int threads = GetParam();
  Map map;
  map.put(0, 0);
  run_threads(threads, [&](int) {
    for (int i = 0; i < 10; ++i) map.get(i % 2);
  });
  EXPECT_EQ(map.statistics().hits, threads * 5U);
  EXPECT_EQ(map.statistics().misses, threads * 5U);
}

TEST_P(Crowd, SwapsInBothDirectionsDoNotBlock) {
  Map left;
  Map right;
  left.put(1, 1);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 4; ++i) {
      if (index % 2 == 0) {
        left.swap(right);
      } else {
        right.swap(left);
      }
    }
  });
  EXPECT_EQ(left.size() + right.size(), 1U);
}

TEST_P(Crowd, ReadersOfAFullMapAgree) {
  Map map;
  for (int i = 0; i < 50; ++i) map.put(i, i);
  std::vector<int> sums(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    map.for_each([&](int key, const Mapped& value) { sums[index] += key + *value; });
  });
  for (const int sum : sums) EXPECT_EQ(sum, 2450);
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, testing::Values(2, 3, 5, 8, 12, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace collections
