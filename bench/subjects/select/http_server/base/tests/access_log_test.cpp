#include "access_log.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

LogEntry entry_of(int number) {
  LogEntry entry;
  entry.time = number;
  entry.client = "client";
  entry.method = "GET";
  entry.target = "/" + std::to_string(number);
  entry.status = 200;
  entry.bytes = 10;
  entry.connection = 1;
  return entry;
}

TEST(LogEntry, IsOneLine) {
  LogEntry entry = entry_of(5);
  EXPECT_EQ(format_entry(entry), "client [5] \"GET /5\" 200 10 1");
  entry.target = "/a\"\r\nb";
  EXPECT_EQ(format_entry(entry), "client [5] \"GET /a???b\" 200 10 1");
}

class LogCounts : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(LogCounts, EverythingIsWrittenInOrder) {
  const auto [entries, recent] = GetParam();
  MemorySink sink;
  AccessLog log(sink, 1000, recent);
  for (int i = 0; i < entries; ++i) EXPECT_TRUE(log.append(entry_of(i)));
  log.flush();
  const std::vector<std::string> lines = sink.lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(entries));
  for (int i = 0; i < entries; ++i) EXPECT_EQ(lines[i], format_entry(entry_of(i)));
  EXPECT_LE(sink.batches(), static_cast<std::size_t>(entries));
  const std::vector<LogEntry> latest = log.recent(5);
  ASSERT_EQ(latest.size(), static_cast<std::size_t>(std::min({entries, recent, 5})));
  for (std::size_t i = 0; i < latest.size(); ++i)
    EXPECT_EQ(latest[i].time, entries - 1 - static_cast<int>(i));
}

INSTANTIATE_TEST_SUITE_P(Grid, LogCounts,
                         testing::Combine(testing::Values(0, 1, 7, 100), testing::Values(0, 3, 50)));

TEST(AccessLog, ClosedLogDrops) {
  MemorySink sink;
  AccessLog log(sink, 10, 10);
  EXPECT_TRUE(log.append(entry_of(1)));
  log.close();
  EXPECT_FALSE(log.append(entry_of(2)));
  log.flush();
  log.close();
  EXPECT_EQ(sink.lines().size(), 1U);
  EXPECT_EQ(log.stats().dropped, 1U);
}

enum class Operation { kAppend, kFlush, kRecent, kStats };
constexpr const char* kNames[] = {"Append", "Flush", "Recent", "Stats"};

class LogPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(LogPairs, WorkTogether) {
  constexpr int kRounds = 15;
  MemorySink sink;
  AccessLog log(sink, 10'000, 8);
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kAppend:
          good[thread] += log.append(entry_of(thread * 100 + i));
          break;
        case Operation::kFlush:
          log.append(entry_of(i));
          log.flush();
          ++good[thread];
          break;
        case Operation::kRecent:
          good[thread] += log.recent(4).size() <= 4;
          break;
        case Operation::kStats: {
          const AccessLog::Stats stats = log.stats();
          good[thread] += stats.written <= stats.appended && stats.dropped == 0;
          break;
        }
      }
    }
  });
  log.close();
  for (const int count : good) EXPECT_EQ(count, kRounds);
  EXPECT_EQ(log.stats().written, log.stats().appended);
  EXPECT_EQ(sink.lines().size(), log.stats().written);
}

INSTANTIATE_TEST_SUITE_P(All, LogPairs, testing::ValuesIn(all_pairs<Operation>(4, {2, 4, 8})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
