#include "connection_registry.h"

#include <gtest/gtest.h>

#include "memory_transport.h"
#include "threads.h"

namespace web {
namespace {

std::shared_ptr<Connection> some_connection() {
  return std::make_shared<MemoryConnection>(std::make_shared<MemoryPipe>(16),
                                            std::make_shared<MemoryPipe>(16), "peer");
}

class RegistryLimit : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(RegistryLimit, RefusesTheRest) {
  const auto [limit, offered] = GetParam();
  ManualClock clock;
  ConnectionRegistry registry(clock, limit);
  int taken = 0;
  for (int i = 0; i < offered; ++i) taken += registry.add(some_connection()).has_value();
  EXPECT_EQ(taken, std::min(limit, offered));
  EXPECT_EQ(registry.stats().refused, static_cast<std::uint64_t>(offered - taken));
  EXPECT_EQ(registry.stats().peak, static_cast<std::size_t>(taken));
}

INSTANTIATE_TEST_SUITE_P(Grid, RegistryLimit,
                         testing::Combine(testing::Values(0, 1, 4), testing::Values(1, 4, 9)));

struct IdleCase {
  Millis idle;
  Millis limit;
  bool busy;
  bool closed;
};

class CloseIdle : public testing::TestWithParam<IdleCase> {};

TEST_P(CloseIdle, ClosesWhatIsIdleForLongEnough) {
  ManualClock clock;
  ConnectionRegistry registry(clock, 4);
  const auto id = registry.add(some_connection());
  ASSERT_TRUE(registry.mark_busy(*id));
  if (!GetParam().busy) {
    ASSERT_TRUE(registry.mark_idle(*id));
  }
  clock.advance(GetParam().idle);
  EXPECT_EQ(registry.close_idle(GetParam().limit), GetParam().closed ? 1U : 0U);
  EXPECT_EQ(registry.mark_busy(*id), !GetParam().closed);
  EXPECT_EQ(registry.close_idle(0), 0U) << "is busy or closed already";
}

INSTANTIATE_TEST_SUITE_P(Table, CloseIdle,
                         testing::Values(IdleCase{0, 0, false, true}, IdleCase{5, 10, false, false},
                                         IdleCase{10, 10, false, true}, IdleCase{99, 10, false, true},
                                         IdleCase{99, 10, true, false}));

TEST(ConnectionRegistry, DrainEndsIdleAndLetsBusyFinish) {
  ManualClock clock;
  ConnectionRegistry registry(clock, 4);
  const auto idle = registry.add(some_connection());
  const auto busy = registry.add(some_connection());
  registry.mark_busy(*busy);
  registry.begin_drain();
  EXPECT_FALSE(registry.add(some_connection()).has_value());
  EXPECT_FALSE(registry.mark_busy(*idle));
  EXPECT_FALSE(registry.mark_idle(*busy));
  registry.remove(*idle);
  registry.remove(*busy);
  registry.wait_empty();
  EXPECT_EQ(registry.size(), 0U);
}

TEST(ConnectionRegistry, ListsWhatConnectionsDo) {
  ManualClock clock;
  ConnectionRegistry registry(clock, 4);
  const auto id = registry.add(some_connection());
  clock.advance(7);
  ASSERT_EQ(registry.list().size(), 1U);
  EXPECT_EQ(registry.list()[0].idle_for, 7);
  EXPECT_EQ(registry.list()[0].peer, "peer");
  registry.mark_busy(*id);
  EXPECT_TRUE(registry.list()[0].busy);
  EXPECT_EQ(registry.list()[0].requests, 1U);
  EXPECT_EQ(registry.stats().busy, 1U);
}

class DrainWaiters : public testing::TestWithParam<int> {};

TEST_P(DrainWaiters, WaitForTheLastConnection) {
  ManualClock clock;
  ConnectionRegistry registry(clock, 64);
  std::vector<ConnectionRegistry::Id> ids;
  for (int i = 0; i < GetParam(); ++i) ids.push_back(*registry.add(some_connection()));
  run_threads(GetParam() + 2, [&](int thread) {
    if (thread < GetParam()) {
      registry.remove(ids[thread]);
    } else {
      registry.begin_drain();
      registry.wait_empty();
      EXPECT_EQ(registry.size(), 0U);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, DrainWaiters, testing::Values(1, 2, 4, 8));

enum class Operation { kAddRemove, kBusyIdle, kCloseIdle, kStats, kList, kSize };
constexpr const char* kNames[] = {"AddRemove", "BusyIdle", "CloseIdle", "Stats", "List", "Size"};

class RegistryPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(RegistryPairs, WorkTogether) {
  constexpr int kRounds = 12;
  ManualClock clock;
  ConnectionRegistry registry(clock, 1000);
  std::vector<ConnectionRegistry::Id> own;
  for (int i = 0; i < GetParam().threads; ++i) own.push_back(*registry.add(some_connection()));
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kAddRemove: {
          const auto id = registry.add(some_connection());
          good[thread] += id.has_value();
          registry.remove(*id);
          break;
        }
        case Operation::kBusyIdle:
          good[thread] += registry.mark_busy(own[thread]) && registry.mark_idle(own[thread]);
          break;
        case Operation::kCloseIdle:
          good[thread] += registry.close_idle(1000) == 0;
          break;
        case Operation::kStats:
          good[thread] += registry.stats().reaped == 0;
          break;
        case Operation::kList:
          good[thread] += registry.list().size() >= own.size();
          break;
        case Operation::kSize:
          good[thread] += registry.size() >= own.size();
          break;
      }
    }
  });
  for (const int count : good) EXPECT_EQ(count, kRounds);
  EXPECT_EQ(registry.size(), own.size());
}

INSTANTIATE_TEST_SUITE_P(All, RegistryPairs, testing::ValuesIn(all_pairs<Operation>(6, {2, 5})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
