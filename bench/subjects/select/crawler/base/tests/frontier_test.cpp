#include "frontier.h"

#include <gtest/gtest.h>

#include <set>

#include "threads.h"

namespace crawl {
namespace {

Task task_of(const std::string& host, int number, int priority = 0) {
  Task task;
  task.url = *Url::parse("http://" + host + "/" + std::to_string(number));
  task.priority = priority;
  return task;
}

TEST(Frontier, HigherPriorityFirst) {
  VirtualClock clock;
  Frontier frontier(clock, {});
  for (const int priority : {1, 3, 2}) frontier.push(task_of("a", priority, priority));
  for (const int expected : {3, 2, 1}) {
    const auto task = frontier.pop();
    EXPECT_EQ(task->priority, expected);
    frontier.done(*task);
  }
  EXPECT_FALSE(frontier.pop().has_value());
}

TEST(Frontier, ClosedGivesNothing) {
  VirtualClock clock;
  Frontier frontier(clock, {});
  frontier.push(task_of("a", 1));
  frontier.close();
  EXPECT_FALSE(frontier.pop().has_value());
  EXPECT_FALSE(frontier.push(task_of("a", 2)));
  EXPECT_EQ(frontier.snapshot().size(), 1U);
  EXPECT_TRUE(frontier.closed());
}

class Politeness : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Politeness, SpacesRequestsToAHost) {
  const auto [hosts, tasks, delay] = GetParam();
  VirtualClock clock;
  Frontier frontier(clock, {delay, 1});
  for (int host = 0; host < hosts; ++host) {
    for (int i = 0; i < tasks; ++i) frontier.push(task_of("h" + std::to_string(host), i));
  }
  std::map<std::string, Millis> last;
  int count = 0;
  while (const auto task = frontier.pop()) {
    const std::string host = task->url.authority();
    if (last.contains(host)) {
      EXPECT_GE(clock.now() - last[host], delay);
    }
    last[host] = clock.now();
    ++count;
    frontier.done(*task);
  }
  EXPECT_EQ(count, hosts * tasks);
  EXPECT_EQ(clock.now(), (tasks - 1) * delay);
}

INSTANTIATE_TEST_SUITE_P(Grid, Politeness,
                         testing::Combine(testing::Values(1, 2, 5), testing::Values(1, 4),
                                          testing::Values(0, 10, 500)));

TEST(Frontier, HostsMayAskForMoreDelay) {
  VirtualClock clock;
  Frontier frontier(clock, {10, 1});
  frontier.set_delay("slow", 1000);
  frontier.set_delay("fast", 1);
  frontier.hold_back("late", 5000);
  for (const char* host : {"slow", "fast", "late"}) {
    for (int i = 0; i < 2; ++i) frontier.push(task_of(host, i));
  }
  std::map<std::string, Millis> last;
  while (const auto task = frontier.pop()) {
    last[task->url.host] = clock.now();
    frontier.done(*task);
  }
  EXPECT_EQ(last["fast"], 10);
  EXPECT_EQ(last["slow"], 1000);
  EXPECT_EQ(last["late"], 5010);
}

TEST(Frontier, PauseHoldsTasksBack) {
  VirtualClock clock;
  Frontier frontier(clock, {});
  frontier.push(task_of("a", 1));
  frontier.pause();
  EXPECT_EQ(frontier.stats().queued, 1U);
  frontier.resume();
  EXPECT_TRUE(frontier.pop().has_value());
  EXPECT_EQ(frontier.stats().in_flight, 1U);
}

class FrontierWorkers : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(FrontierWorkers, DoEachTaskOnce) {
  const auto [workers, hosts, delay] = GetParam();
  constexpr int kTasks = 24;
  VirtualClock clock;
  Frontier frontier(clock, {delay, 2});
  for (int i = 0; i < kTasks; ++i) frontier.push(task_of("h" + std::to_string(i % hosts), i));
  std::vector<std::vector<std::string>> seen(workers);
  run_threads(workers, [&](int worker) {
    while (const auto task = frontier.pop()) {
      seen[worker].push_back(task->url.to_string());
      // Every fourth task leads to another one.
      if (task->depth == 0 && seen[worker].size() % 4 == 0) {
        Task next = *task;
        next.depth = 1;
        next.url.path += "/next";
        frontier.push(next);
      }
      frontier.done(*task);
    }
  });
  std::set<std::string> all;
  std::size_t count = 0;
  for (const auto& own : seen) {
    all.insert(own.begin(), own.end());
    count += own.size();
  }
  EXPECT_EQ(all.size(), count) << "a task was done twice";
  EXPECT_GE(count, static_cast<std::size_t>(kTasks));
  EXPECT_EQ(frontier.stats().popped, frontier.stats().pushed);
}

INSTANTIATE_TEST_SUITE_P(Grid, FrontierWorkers,
                         testing::Combine(testing::Values(1, 2, 4, 8), testing::Values(1, 3),
                                          testing::Values(0, 50)));

enum class Operation { kPush, kStats, kSnapshot, kSetDelay, kPause };
constexpr const char* kNames[] = {"Push", "Stats", "Snapshot", "SetDelay", "Pause"};

class FrontierPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(FrontierPairs, WorkTogether) {
  constexpr int kRounds = 10;
  VirtualClock clock;
  Frontier frontier(clock, {});
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kPush:
          good[thread] += frontier.push(task_of("h" + std::to_string(i % 3), i));
          break;
        case Operation::kStats:
          good[thread] += frontier.stats().in_flight == 0;
          break;
        case Operation::kSnapshot:
          good[thread] +=
              frontier.snapshot().size() <= static_cast<std::size_t>(kRounds * GetParam().threads);
          break;
        case Operation::kSetDelay:
          frontier.set_delay("h0", i);
          ++good[thread];
          break;
        case Operation::kPause:
          frontier.pause();
          frontier.resume();
          ++good[thread];
          break;
      }
    }
  });
  for (const int count : good) EXPECT_EQ(count, kRounds);
  std::size_t popped = 0;
  while (const auto task = frontier.pop()) {
    ++popped;
    frontier.done(*task);
  }
  EXPECT_EQ(popped, frontier.stats().pushed);
}

INSTANTIATE_TEST_SUITE_P(All, FrontierPairs, testing::ValuesIn(all_pairs<Operation>(5, {2, 5})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
