#include "thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>

#include "threads.h"

namespace web {
namespace {

class PoolSizes : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(PoolSizes, EveryTaskRunsOnce) {
  const auto [threads, tasks, capacity] = GetParam();
  std::vector<int> runs(tasks);
  ThreadPool pool(threads, capacity);
  for (int task = 0; task < tasks; ++task) ASSERT_TRUE(pool.submit([&runs, task] { ++runs[task]; }));
  pool.wait_idle();
  EXPECT_EQ(runs, std::vector<int>(tasks, 1));
  const ThreadPool::Stats stats = pool.stats();
  EXPECT_EQ(stats.completed, static_cast<std::uint64_t>(tasks));
  EXPECT_EQ(stats.queued + stats.active, 0U);
  EXPECT_LE(stats.peak_queued, static_cast<std::size_t>(capacity));
}

INSTANTIATE_TEST_SUITE_P(Grid, PoolSizes,
                         testing::Combine(testing::Values(1, 2, 4, 8, 16), testing::Values(1, 10, 60),
                                          testing::Values(1, 4, 64)),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "Threads" +
                                  std::to_string(std::get<1>(info.param)) + "Tasks" +
                                  std::to_string(std::get<2>(info.param)) + "Queue";
                         });

class PoolSubmitters : public testing::TestWithParam<int> {};

TEST_P(PoolSubmitters, MaySubmitAtTheSameTime) {
  std::vector<std::atomic<int>> runs(GetParam() * 10);
  ThreadPool pool(2, 4);
  run_threads(GetParam(), [&](int thread) {
    for (int i = 0; i < 10; ++i) pool.submit([&runs, slot = thread * 10 + i] { ++runs[slot]; });
  });
  pool.shutdown(ThreadPool::Pending::kRun);
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST_P(PoolSubmitters, MayShutDownAtTheSameTime) {
  std::vector<std::size_t> discarded(GetParam());
  std::atomic<std::size_t> runs{0};
  ThreadPool pool(2, 64);
  for (int i = 0; i < 20; ++i) pool.submit([&runs] { ++runs; });
  run_threads(GetParam(),
              [&](int thread) { discarded[thread] = pool.shutdown(ThreadPool::Pending::kDiscard); });
  std::size_t total = runs;
  for (const std::size_t count : discarded) total += count;
  EXPECT_EQ(total, 20U);
  EXPECT_FALSE(pool.submit([] {}));
  EXPECT_FALSE(pool.try_submit([] {}));
  EXPECT_EQ(pool.stats().rejected, 2U);
}

INSTANTIATE_TEST_SUITE_P(Threads, PoolSubmitters, testing::Values(2, 4, 8));

TEST(ThreadPool, FailedTasksDoNotEndThreads) {
  ThreadPool pool(1, 8);
  for (int i = 0; i < 3; ++i) pool.submit([] { throw std::runtime_error("task"); });
  pool.submit([] {});
  pool.wait_idle();
  EXPECT_EQ(pool.stats().failed, 3U);
  EXPECT_EQ(pool.stats().completed, 1U);
}

TEST(ThreadPool, TrySubmitRefusesWhenFull) {
  std::latch started(1);
  std::latch release(1);
  ThreadPool pool(1, 1);
  pool.submit([&] {
    started.count_down();
    release.wait();
  });
  started.wait();
  EXPECT_TRUE(pool.try_submit([] {}));
  EXPECT_FALSE(pool.try_submit([] {}));
  release.count_down();
  pool.wait_idle();
  EXPECT_EQ(pool.stats().completed, 2U);
  EXPECT_EQ(pool.stats().rejected, 1U);
}

TEST(ThreadPool, TasksMaySubmitTasks) {
  std::atomic<int> runs{0};
  ThreadPool pool(2, 16);
  for (int i = 0; i < 4; ++i) {
    pool.submit([&] {
      ++runs;
      pool.try_submit([&] { ++runs; });
    });
  }
  pool.wait_idle();
  EXPECT_EQ(runs, 8);
}

}  // namespace
}  // namespace web
