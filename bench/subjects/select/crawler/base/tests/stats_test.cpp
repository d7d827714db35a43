#include "stats.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

TEST(CrawlStats, CountsPerHostAndStatus) {
  CrawlStats stats;
  stats.record_fetch("a", 200, 10, 5);
  stats.record_fetch("a", 404, 0, 9);
  stats.record_fetch("b", 0, 0, 7);
  stats.record_retry();
  EXPECT_EQ(stats.host("a").fetches, 2U);
  EXPECT_EQ(stats.host("a").failures, 1U);
  EXPECT_EQ(stats.host("a").first_fetch, 5);
  EXPECT_EQ(stats.host("a").last_fetch, 9);
  EXPECT_EQ(stats.host("none").fetches, 0U);
  EXPECT_EQ(stats.totals().failures, 2U);
  EXPECT_EQ(stats.totals().retries, 1U);
  EXPECT_EQ(stats.statuses().at(404), 1U);
  EXPECT_EQ(stats.report(), "host fetches failures bytes\na 2 1 10\nb 1 1 0\n");
  stats.reset();
  EXPECT_EQ(stats.totals().fetches, 0U);
}

enum class Operation { kFetch, kOther, kTotals, kHosts, kReport };
constexpr const char* kNames[] = {"Fetch", "Other", "Totals", "Hosts", "Report"};

class StatsPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(StatsPairs, WorkTogether) {
  constexpr int kRounds = 12;
  CrawlStats stats;
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kFetch:
          stats.record_fetch("h" + std::to_string(i % 3), 200, 1, i);
          ++good[thread];
          break;
        case Operation::kOther:
          stats.record_retry();
          stats.record_redirect();
          stats.record_forbidden();
          ++good[thread];
          break;
        case Operation::kTotals:
          good[thread] += stats.totals().failures == 0;
          break;
        case Operation::kHosts:
          good[thread] += stats.hosts().size() <= 3 && stats.statuses().size() <= 1;
          break;
        case Operation::kReport:
          good[thread] += stats.report().find("host") == 0;
          break;
      }
    }
  });
  std::uint64_t fetches = 0;
  std::uint64_t others = 0;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kFetch) fetches += kRounds;
    if (GetParam().of(thread) == Operation::kOther) others += kRounds;
  }
  EXPECT_EQ(stats.totals().fetches, fetches);
  EXPECT_EQ(stats.totals().redirects, others);
}

INSTANTIATE_TEST_SUITE_P(All, StatsPairs, testing::ValuesIn(all_pairs<Operation>(5, {2, 4, 8})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
