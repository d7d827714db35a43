// Several threads: every pair of operations side by side, and longer scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "cursor.h"
#include "support.h"
#include "tree_map.h"

namespace ordered {
namespace {

constexpr int kKeys = 32;

// Something that a thread does to a shared map again and again. `number` tells the calls apart.
struct Operation {
  const char* name;
  void (*run)(TreeMap& map, int number);
};

const Operation kOperations[] = {
    {"Find", [](TreeMap& map, int number) { map.find(number % kKeys); }},
    {"Contains", [](TreeMap& map, int number) { EXPECT_FALSE(map.contains(-1 - number)); }},
    {"Floor", [](TreeMap& map,
                 int number) { EXPECT_LE(map.floor(number % kKeys).value_or(Entry()).key, number % kKeys); }},
    {"Higher",
     [](TreeMap& map, int number) {
       EXPECT_GT(map.higher(number % kKeys).value_or(Entry{kKeys, 0}).key, number % kKeys);
     }},
    {"FirstAndLast",
     [](TreeMap& map, int) {
       map.first();
       map.last();
     }},
    {"Insert", [](TreeMap& map, int number) { map.insert(number % kKeys, number); }},
    {"Put", [](TreeMap& map, int number) { map.put(number % kKeys, number); }},
    {"Assign", [](TreeMap& map, int number) { map.assign(number % kKeys, number); }},
    {"Add", [](TreeMap& map, int number) { map.add(number % kKeys, 1); }},
    {"Erase", [](TreeMap& map, int number) { map.erase(number % kKeys); }},
    {"PollFirst", [](TreeMap& map, int) { map.poll_first(); }},
    {"Clear", [](TreeMap& map, int) { map.clear(); }},
    {"AssignSorted",
     [](TreeMap& map, int number) {
       map.assign_sorted({{0, number}, {5, number}, {10, number}, {20, number}});
     }},
    {"Range",
     [](TreeMap& map, int number) {
       for (const auto& entry : map.range(number % kKeys, kKeys)) EXPECT_GE(entry.key, number % kKeys);
     }},
    {"CountRange",
     [](TreeMap& map, int number) {
       EXPECT_LE(map.count_range(0, 1 + number % kKeys), 1U + number % kKeys);
     }},
    {"SumRange", [](TreeMap& map, int number) { EXPECT_GE(map.sum_range(0, number % kKeys), 0); }},
    {"EraseRange", [](TreeMap& map, int number) { map.erase_range(number % kKeys, number % kKeys + 3); }},
    {"AddToRange", [](TreeMap& map, int number) { map.add_to_range(number % kKeys, number % kKeys + 5, 2); }},
    {"Rank", [](TreeMap& map, int number) { EXPECT_LE(map.rank(number % kKeys), 1U * kKeys); }},
    {"Select", [](TreeMap& map, int number) { map.select(number % 8); }},
    {"Median", [](TreeMap& map, int) { map.median(); }},
    {"Height", [](TreeMap& map, int) { EXPECT_LE(map.height(), 8); }},
    {"Cursor",
     [](TreeMap& map, int) {
       Cursor cursor(map, 0, kKeys, 4);
       Key previous = -1;
       while (const auto entry = cursor.next()) {
         EXPECT_GT(entry->key, previous);
         previous = entry->key;
       }
     }},
};
constexpr int kOperationCount = std::size(kOperations);

// Threads with an even index run the first operation, the others the second one.
class Pairs : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Pairs, LeaveTheMapSound) {
  const auto [first, second, threads] = GetParam();
  TreeMap map;
  for (int i = 0; i < kKeys; i += 2) map.put(i, i);
  run_threads(threads, [&, first = first, second = second](int index) {
    const Operation& operation = kOperations[index % 2 == 0 ? first : second];
    for (int round = 0; round < 4; ++round) operation.run(map, index * 5 + round * 7);
  });
  EXPECT_NO_THROW(map.check_invariants());
}

std::string pair_name(const testing::TestParamInfo<Pairs::ParamType>& info) {
  const auto& [first, second, threads] = info.param;
  return std::string(kOperations[first].name) + "And" + kOperations[second].name + "In" +
         std::to_string(threads);
}

std::vector<Pairs::ParamType> all_pairs() {
  std::vector<Pairs::ParamType> pairs;
  for (int first = 0; first < kOperationCount; ++first) {
    for (int second = first; second < kOperationCount; ++second) {
      pairs.emplace_back(first, second, (first + second) % 9 == 0 ? 4 : 2);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(all_pairs()), pair_name);

// The same operation in many threads.
std::vector<Pairs::ParamType> crowds() {
  std::vector<Pairs::ParamType> result;
  for (int operation = 0; operation < kOperationCount; ++operation) {
    for (const int threads : {3, 6, 10, 16}) result.emplace_back(operation, operation, threads);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Same, Pairs, testing::ValuesIn(crowds()), pair_name);

// Readers beside writers, with more threads.
std::vector<Pairs::ParamType> readers_and_writers() {
  const auto index_of = [](const std::string& name) {
    const auto named = [&](const Operation& operation) { return operation.name == name; };
    return static_cast<int>(std::find_if(std::begin(kOperations), std::end(kOperations), named) -
                            kOperations);
  };
  std::vector<Pairs::ParamType> pairs;
  for (const char* reader : {"Find", "Floor", "Range", "SumRange", "Cursor", "Height"}) {
    for (const char* writer : {"Put", "Assign", "Erase", "EraseRange", "AddToRange"}) {
      for (const int threads : {3, 5, 9, 14}) pairs.emplace_back(index_of(reader), index_of(writer), threads);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Many, Pairs, testing::ValuesIn(readers_and_writers()), pair_name);

class Crowd : public testing::TestWithParam<int> {};

TEST_P(Crowd, EachThreadFindsItsOwnEntries) {
  TreeMap map;
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 12; ++i) map.put(i * 100 + index, i);
    for (int i = 0; i < 12; ++i) EXPECT_EQ(map.find(i * 100 + index), i);
  });
  EXPECT_EQ(map.size(), GetParam() * 12U);
  map.check_invariants();
}

TEST_P(Crowd, EveryEntryIsPolledOnce) {
  TreeMap map;
  for (int i = 0; i < 40; ++i) map.put(i, i);
  std::vector<Key> sums(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    Key previous = -1;
    while (const auto entry = map.poll_first()) {
      EXPECT_GT(entry->key, previous);
      previous = entry->key;
      sums[index] += entry->key;
    }
  });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), Key{0}), 780);
}

TEST_P(Crowd, AddLosesNoUpdate) {
  TreeMap map;
  run_threads(GetParam(), [&](int) {
    for (int i = 0; i < 10; ++i) map.add(i % 4, 1);
  });
  EXPECT_EQ(map.sum_range(0, 4), GetParam() * 10);
}

TEST_P(Crowd, TransfersKeepTheSumOfARange) {
  TreeMap map;
  for (int i = 0; i < 10; ++i) map.put(i, 100);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 5; ++i) {
      map.add(index % 10, 3);
      map.add((index + 1) % 10, -3);
    }
  });
  EXPECT_EQ(map.sum_range(0, 10), 1000);
}

TEST_P(Crowd, ConcurrentMergesMoveEveryEntryOnce) {
  TreeMap target;
  std::vector<std::size_t> moved(GetParam(), 0);
  TreeMap source;
  for (int i = 0; i < 20; ++i) source.put(i, i);
  run_threads(GetParam(), [&](int index) { moved[index] = target.merge_from(source); });
  EXPECT_EQ(std::accumulate(moved.begin(), moved.end(), std::size_t{0}), 20U);
  EXPECT_TRUE(source.empty());
}

TEST_P(Crowd, PartsOfAMapDoNotDisturbEachOther) {
  TreeMap map;
  run_threads(GetParam(), [&](int index) {
    SubMap part = map.sub_map(index * 10, index * 10 + 10);
    for (int i = 0; i < 10; ++i) part.put(index * 10 + i, i);
    EXPECT_EQ(part.first()->value, 0);
    EXPECT_EQ(part.last()->value, 9);
    EXPECT_TRUE(part.erase(index * 10));
  });
  EXPECT_EQ(map.size(), GetParam() * 9U);
}

TEST_P(Crowd, LookupsAreAllCounted) {
  TreeMap map;
  run_threads(GetParam(), [&](int) {
    for (int i = 0; i < 10; ++i) map.contains(i);
  });
  EXPECT_EQ(map.lookups(), GetParam() * 10U);
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, testing::Values(2, 4, 7, 11, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace ordered
