// Several threads: every pair of operations side by side, and longer scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "bit_set.h"
#include "id_allocator.h"
#include "support.h"

namespace bits {
namespace {

constexpr std::size_t kCapacity = 200;

// Two sets that threads share.
struct Sets {
  BitSet left{kCapacity};
  BitSet right{kCapacity};
};

// Something that a thread does again and again. `number` tells the calls apart.
struct Operation {
  const char* name;
  void (*run)(Sets& sets, std::size_t number);
};

const Operation kOperations[] = {
    {"Test", [](Sets& sets, std::size_t number) { EXPECT_FALSE(sets.left.test(199 - number % 10)); }},
    {"Set", [](Sets& sets, std::size_t number) { sets.left.set(number % 190); }},
    {"Reset", [](Sets& sets, std::size_t number) { sets.left.reset(number % 190); }},
    {"Flip", [](Sets& sets, std::size_t number) { sets.left.flip(number % 190); }},
    {"SetRange", [](Sets& sets, std::size_t number) { sets.left.set_range(number % 60, 150); }},
    {"ResetRange", [](Sets& sets, std::size_t number) { sets.left.reset_range(number % 60, 150); }},
    {"FlipRange", [](Sets& sets, std::size_t number) { sets.left.flip_range(number % 60, 150); }},
    {"CountRange", [](Sets& sets, std::size_t) { EXPECT_EQ(sets.left.count_range(190, 200), 0U); }},
    {"Clear", [](Sets& sets, std::size_t) { sets.left.clear(); }},
    {"Unite", [](Sets& sets, std::size_t) { sets.left.unite(sets.right); }},
    {"Intersect", [](Sets& sets, std::size_t) { sets.left.intersect(sets.right); }},
    {"UniteBack", [](Sets& sets, std::size_t) { sets.right.unite(sets.left); }},
    {"Toggle", [](Sets& sets, std::size_t) { sets.left.toggle(sets.right); }},
    {"Equals", [](Sets& sets, std::size_t) { sets.left.equals(sets.right); }},
    {"Contains", [](Sets& sets, std::size_t) { sets.right.contains(sets.left); }},
    {"Cardinality", [](Sets& sets, std::size_t) { EXPECT_LE(sets.left.cardinality(), 190U); }},
    {"Length", [](Sets& sets, std::size_t) { EXPECT_LE(sets.left.length(), 190U); }},
    {"NextSet",
     [](Sets& sets, std::size_t number) { EXPECT_LT(sets.left.next_set(number % 190).value_or(0), 190U); }},
    {"Claim", [](Sets& sets, std::size_t number) { EXPECT_TRUE(sets.right.claim(number % 20)); }},
    {"Select",
     [](Sets& sets, std::size_t number) { EXPECT_LT(sets.left.select(number % 30).value_or(0), 190U); }},
    {"Numbers", [](Sets& sets, std::size_t) { EXPECT_LE(sets.left.numbers().size(), 190U); }},
    {"Hash", [](Sets& sets, std::size_t) { sets.left.hash(); }},
};
constexpr int kOperationCount = std::size(kOperations);

int index_of(const std::string& name) {
  const auto named = [&](const Operation& operation) { return operation.name == name; };
  return static_cast<int>(std::find_if(std::begin(kOperations), std::end(kOperations), named) - kOperations);
}

// Threads with an even index run the first operation, the others the second one.
class Pairs : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Pairs, LeaveNumbersAloneThatNobodyTouches) {
  const auto [first, second, threads] = GetParam();
  Sets sets;
  for (std::size_t number = 0; number < 180; number += 9) sets.left.set(number);
  for (std::size_t number = 5; number < 180; number += 20) sets.right.set(number);
  run_threads(threads, [&, first = first, second = second](int index) {
    const Operation& operation = kOperations[index % 2 == 0 ? first : second];
    for (int round = 0; round < 4; ++round) operation.run(sets, index * 5 + round * 7);
  });
  EXPECT_EQ(sets.left.count_range(190, 200) + sets.right.count_range(190, 200), 0U);
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

// Some operations in more threads.
std::vector<Pairs::ParamType> crowded_pairs() {
  const std::pair<const char*, const char*> chosen[] = {
      {"Set", "Reset"},        {"Set", "Cardinality"}, {"Cardinality", "Cardinality"},
      {"Length", "Length"},    {"Length", "Clear"},    {"Flip", "Numbers"},
      {"SetRange", "Set"},     {"FlipRange", "Flip"},  {"Unite", "UniteBack"},
      {"Toggle", "Intersect"}, {"Claim", "Claim"},     {"Claim", "UniteBack"},
      {"Clear", "SetRange"},   {"Equals", "Unite"},    {"NextSet", "ResetRange"},
      {"Test", "Flip"},
  };
  std::vector<Pairs::ParamType> pairs;
  for (const auto& [first, second] : chosen) {
    for (const int threads : {3, 6, 9, 16}) pairs.emplace_back(index_of(first), index_of(second), threads);
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Many, Pairs, testing::ValuesIn(crowded_pairs()), pair_name);

class Crowd : public testing::TestWithParam<int> {};

TEST_P(Crowd, EveryNumberIsSetOnce) {
  BitSet set(kCapacity);
  std::vector<int> firsts(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    for (std::size_t number = 0; number < 40; ++number) firsts[index] += set.set(number) ? 0 : 1;
  });
  EXPECT_EQ(std::accumulate(firsts.begin(), firsts.end(), 0), 40);
}

TEST_P(Crowd, EveryClaimIsAnotherNumber) {
  BitSet set(kCapacity);
  std::vector<std::size_t> sums(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 10; ++i) sums[index] += set.claim().value();
  });
  const std::size_t count = GetParam() * 10U;
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::size_t{0}), count * (count - 1) / 2);
}

TEST_P(Crowd, FlipsInPairsLeaveNothing) {
  BitSet set(kCapacity);
  run_threads(GetParam(), [&](int) {
    for (std::size_t number = 0; number < 20; ++number) {
      set.flip(number);
      set.flip(number);
    }
  });
  EXPECT_TRUE(set.empty());
}

TEST_P(Crowd, CardinalityIsRightAfterwards) {
  BitSet set(kCapacity);
  run_threads(GetParam(), [&](int index) {
    for (std::size_t i = 0; i < 10; ++i) set.set(static_cast<std::size_t>(index) * 10 + i);
  });
  EXPECT_EQ(set.cardinality(), GetParam() * 10U);
  EXPECT_EQ(set.length(), GetParam() * 10U);
}

TEST_P(Crowd, IdsBelongToOneThreadAtATime) {
  IdAllocator allocator(4);
  std::vector<int> owners(4, 0);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 5; ++i) {
      const ScopedId id(allocator);
      owners[id.get()] = index;
      EXPECT_EQ(owners[id.get()], index);
    }
  });
  EXPECT_EQ(allocator.in_use(), 0U);
  EXPECT_EQ(allocator.acquisitions(), GetParam() * 5U);
}

TEST_P(Crowd, IdsAreHandedOutWhileThereAreSome) {
  IdAllocator allocator(kCapacity);
  std::vector<int> got(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 5; ++i) got[index] += allocator.try_acquire() ? 1 : 0;
  });
  EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0), GetParam() * 5);
  EXPECT_EQ(allocator.in_use(), GetParam() * 5U);
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, testing::Values(2, 3, 5, 8, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace bits
