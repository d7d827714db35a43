#include "page_store.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

PageRecord page(const std::string& host, int number, std::uint64_t content, std::size_t bytes = 10) {
  PageRecord record;
  record.url = "http://" + host + "/" + std::to_string(number);
  record.host = host;
  record.content_hash = content;
  record.bytes = bytes;
  return record;
}

class StoreSizes : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(StoreSizes, CountPagesAndDuplicates) {
  const auto [pages, contents] = GetParam();
  PageStore store;
  for (int i = 0; i < pages; ++i) store.put(page("h" + std::to_string(i % 3), i, i % contents));
  const PageStore::Stats stats = store.stats();
  EXPECT_EQ(stats.pages, static_cast<std::size_t>(pages));
  EXPECT_EQ(stats.duplicates, static_cast<std::size_t>(std::max(0, pages - contents)));
  EXPECT_EQ(stats.bytes, static_cast<std::size_t>(pages) * 10);
  EXPECT_EQ(stats.hosts, static_cast<std::size_t>(std::min(pages, 3)));
}

INSTANTIATE_TEST_SUITE_P(Grid, StoreSizes,
                         testing::Combine(testing::Values(0, 1, 5, 30), testing::Values(1, 4, 100)));

TEST(PageStore, ANewVersionReplacesTheOld) {
  PageStore store;
  store.put(page("a", 1, 7, 10));
  const auto stored = store.put(page("a", 1, 8, 25));
  EXPECT_EQ(store.find(stored->url), stored);
  EXPECT_EQ(store.stats().bytes, 25U);
  EXPECT_EQ(store.stats().replaced, 1U);
  EXPECT_EQ(store.put(page("a", 2, 7))->duplicate_of, "") << "the old content is gone";
}

TEST(PageStore, RemovedIsGone) {
  PageStore store;
  const auto first = store.put(page("a", 1, 7));
  const auto copy = store.put(page("a", 2, 7));
  EXPECT_EQ(copy->duplicate_of, first->url);
  EXPECT_TRUE(store.remove(copy->url));
  EXPECT_FALSE(store.remove(copy->url));
  EXPECT_EQ(store.stats().duplicates, 0U);
  store.clear();
  EXPECT_FALSE(store.find(first->url));
}

TEST(PageStore, ListsByHostAndSize) {
  PageStore store;
  for (int i = 0; i < 6; ++i) store.put(page(i < 2 ? "a" : "b", i, i, i * 100));
  EXPECT_EQ(store.by_host("a").size(), 2U);
  EXPECT_EQ(store.by_host("none").size(), 0U);
  ASSERT_EQ(store.largest(2).size(), 2U);
  EXPECT_EQ(store.largest(2)[0]->bytes, 500U);
}

enum class Operation { kPut, kFind, kRemove, kByHost, kStats, kAll };
constexpr const char* kNames[] = {"Put", "Find", "Remove", "ByHost", "Stats", "All"};

class StorePairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(StorePairs, WorkTogether) {
  constexpr int kRounds = 12;
  PageStore store;
  for (int i = 0; i < 4; ++i) store.put(page("common", i, i));
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    const std::string own = "own" + std::to_string(thread);
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kPut:
          good[thread] += store.put(page(own, i, 1000 + i)) != nullptr;
          break;
        case Operation::kFind:
          good[thread] += store.find("http://common/" + std::to_string(i % 4)) != nullptr;
          break;
        case Operation::kRemove:
          good[thread] += store.remove(store.put(page(own, i, 2000 + i))->url);
          break;
        case Operation::kByHost:
          good[thread] += store.by_host("common").size() == 4;
          break;
        case Operation::kStats:
          good[thread] += store.stats().pages >= 4;
          break;
        case Operation::kAll:
          good[thread] += store.all().size() >= 4;
          break;
      }
    }
  });
  std::size_t pages = 4;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kPut) pages += kRounds;
  }
  EXPECT_EQ(store.stats().pages, pages);
  EXPECT_EQ(store.stats().bytes, pages * 10);
}

INSTANTIATE_TEST_SUITE_P(All, StorePairs, testing::ValuesIn(all_pairs<Operation>(6, {2, 4})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
