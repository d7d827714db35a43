#include "progress.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

TEST(Progress, FollowsAWorker) {
  ProgressBoard board(2);
  EXPECT_EQ(board.workers(), 2U);
  board.enter(1, WorkerState::kFetching, 77, 10);
  EXPECT_EQ(board.worker(1).address, 77U);
  EXPECT_EQ(board.active(), 1U);
  board.finish(1, 100, 20);
  EXPECT_EQ(board.active(), 0U);
  EXPECT_EQ(board.finished(), 1U);
  EXPECT_EQ(board.render(), "0 idle 0 0\n1 idle 1 100\n");
}

struct StuckCase {
  Millis now;
  Millis limit;
  std::vector<std::size_t> stuck;
};

class Stuck : public testing::TestWithParam<StuckCase> {};

TEST_P(Stuck, WorkersAreNamed) {
  ProgressBoard board(3);
  board.enter(0, WorkerState::kFetching, 1, 0);
  board.enter(2, WorkerState::kRobots, 1, 50);
  EXPECT_EQ(board.stuck(GetParam().now, GetParam().limit), GetParam().stuck);
}

INSTANTIATE_TEST_SUITE_P(Table, Stuck,
                         testing::Values(StuckCase{50, 100, {}}, StuckCase{100, 100, {0}},
                                         StuckCase{149, 100, {0}}, StuckCase{150, 100, {0, 2}},
                                         StuckCase{0, 0, {0}}));

class StateName : public testing::TestWithParam<WorkerState> {};

TEST_P(StateName, IsKnown) {
  EXPECT_STRNE(name_of(GetParam()), "unknown");
}

INSTANTIATE_TEST_SUITE_P(States, StateName,
                         testing::Values(WorkerState::kIdle, WorkerState::kRobots, WorkerState::kFetching,
                                         WorkerState::kIndexing));

enum class Operation { kWork, kWorker, kActive, kFinished, kSnapshot };
constexpr const char* kNames[] = {"Work", "Worker", "Active", "Finished", "Snapshot"};

class ProgressPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(ProgressPairs, WorkTogether) {
  constexpr int kRounds = 12;
  ProgressBoard board(GetParam().threads);
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kWork:
          board.enter(thread, WorkerState::kFetching, i + 1, i);
          board.finish(thread, 10, i);
          ++good[thread];
          break;
        case Operation::kWorker:
          good[thread] += board.worker(i % GetParam().threads).finished <= kRounds;
          break;
        case Operation::kActive:
          good[thread] += board.active() <= board.workers();
          break;
        case Operation::kFinished:
          good[thread] += board.finished() <= kRounds * board.workers();
          break;
        case Operation::kSnapshot:
          good[thread] += board.snapshot().size() == board.workers() && !board.render().empty();
          break;
      }
    }
  });
  std::uint64_t finished = 0;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kWork) finished += kRounds;
  }
  EXPECT_EQ(board.finished(), finished);
}

INSTANTIATE_TEST_SUITE_P(All, ProgressPairs, testing::ValuesIn(all_pairs<Operation>(5, {2, 6})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace crawl
