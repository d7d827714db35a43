#include "seen_set.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

std::string name(int number) {
  return "http://host/" + std::to_string(number);
}

class SeenSizes : public testing::TestWithParam<int> {};

TEST_P(SeenSizes, HoldWhatWasInserted) {
  SeenSet seen;
  for (int i = 0; i < GetParam(); ++i) {
    EXPECT_FALSE(seen.contains(name(i)));
    EXPECT_TRUE(seen.insert(name(i)));
    EXPECT_FALSE(seen.insert(name(i)));
  }
  for (int i = 0; i < GetParam(); ++i) EXPECT_TRUE(seen.contains(name(i)));
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(GetParam()));
}

TEST_P(SeenSizes, SurviveACheckpoint) {
  SeenSet before;
  for (int i = 0; i < GetParam(); ++i) before.insert(name(i));
  SeenSet after;
  after.insert("something else");
  after.restore(before.snapshot());
  EXPECT_EQ(after.snapshot(), before.snapshot());
  for (int i = 0; i < GetParam(); ++i) EXPECT_TRUE(after.contains(name(i)));
  EXPECT_FALSE(after.contains("something else"));
}

TEST_P(SeenSizes, CanBeErased) {
  SeenSet seen;
  for (int i = 0; i < GetParam(); ++i) seen.insert(name(i));
  for (int i = 0; i < GetParam(); i += 2) EXPECT_TRUE(seen.erase(name(i)));
  for (int i = 0; i < GetParam(); ++i) EXPECT_EQ(seen.contains(name(i)), i % 2 == 1);
  seen.clear();
  EXPECT_EQ(seen.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Counts, SeenSizes, testing::Values(0, 1, 2, 10, 200));

TEST(SeenSet, TheFilterAnswersForMostNewAddresses) {
  SeenSet seen;
  for (int i = 0; i < 50; ++i) seen.insert(name(i));
  for (int i = 50; i < 250; ++i) EXPECT_FALSE(seen.contains(name(i)));
  EXPECT_EQ(seen.stats().lookups, 200U);
  EXPECT_GT(seen.stats().filtered, 150U);
}

class SeenThreads : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(SeenThreads, EachAddressIsNewToOneThread) {
  const auto [threads, addresses] = GetParam();
  SeenSet seen;
  std::vector<int> first(threads);
  run_threads(threads, [&, addresses = addresses](int thread) {
    for (int i = 0; i < addresses; ++i) first[thread] += seen.insert(name(i));
  });
  int total = 0;
  for (const int count : first) total += count;
  EXPECT_EQ(total, addresses);
}

INSTANTIATE_TEST_SUITE_P(Grid, SeenThreads,
                         testing::Combine(testing::Values(2, 4, 8, 16), testing::Values(1, 30)));

enum class Operation { kInsert, kContains, kErase, kSnapshot, kStats };
constexpr const char* kNames[] = {"Insert", "Contains", "Erase", "Snapshot", "Stats"};

class SeenPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(SeenPairs, WorkTogether) {
  constexpr int kRounds = 24;
  SeenSet seen;
  for (int i = 0; i < 8; ++i) seen.insert(name(i));
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kInsert:
          seen.insert(name(100 + i));
          ++good[thread];
          break;
        case Operation::kContains:
          seen.contains(name(100 + i));
          good[thread] += seen.contains(name(i % 8));
          break;
        case Operation::kErase:
          seen.erase(name(100 + i));
          ++good[thread];
          break;
        case Operation::kSnapshot:
          good[thread] += seen.snapshot().size() >= 8;
          break;
        case Operation::kStats:
          good[thread] += seen.stats().size >= 8;
          break;
      }
    }
  });
  for (const int count : good) EXPECT_EQ(count, kRounds);
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(seen.contains(name(i)));
}

INSTANTIATE_TEST_SUITE_P(All, SeenPairs, testing::ValuesIn(all_pairs<Operation>(5, {2, 6})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
