#include "session_store.h"

#include <gtest/gtest.h>

#include <set>

#include "threads.h"

namespace web {
namespace {

constexpr Millis kTtl = 1000;

class SessionExpiry : public testing::TestWithParam<std::tuple<Millis, int>> {};

TEST_P(SessionExpiry, CountsFromTheLastUse) {
  const auto [step, steps] = GetParam();
  ManualClock clock;
  SessionStore store(clock, kTtl, 1);
  const auto [id, session] = store.create();
  bool alive = true;
  for (int i = 0; i < steps; ++i) {
    clock.advance(step);
    alive = alive && step < kTtl;
    EXPECT_EQ(store.find(id) != nullptr, alive);
  }
  EXPECT_EQ(store.size(), alive ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Grid, SessionExpiry,
                         testing::Combine(testing::Values<Millis>(1, 500, 999, 1000, 5000),
                                          testing::Values(1, 3)));

TEST(SessionStore, IdsDifferAndAreRepeatable) {
  ManualClock clock;
  SessionStore first(clock, kTtl, 7);
  SessionStore second(clock, kTtl, 7);
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const std::string id = first.create().first;
    EXPECT_EQ(id, second.create().first);
    EXPECT_TRUE(ids.insert(id).second);
    EXPECT_EQ(id.size(), 32U);
  }
}

TEST(SessionStore, SweepRemovesOnlyTheExpired) {
  ManualClock clock;
  SessionStore store(clock, kTtl, 1);
  store.create();
  clock.advance(600);
  const std::string late = store.create().first;
  clock.advance(600);
  EXPECT_EQ(store.sweep(), 1U);
  EXPECT_EQ(store.ids(), std::vector<std::string>{late});
  EXPECT_EQ(store.stats().expired, 1U);
  EXPECT_EQ(store.stats().longest_idle, 600);
}

TEST(SessionStore, RotateKeepsTheValues) {
  ManualClock clock;
  SessionStore store(clock, kTtl, 1);
  const auto [id, session] = store.create();
  session->set("user", "anna");
  const auto fresh = store.rotate(id);
  ASSERT_TRUE(fresh.has_value());
  EXPECT_FALSE(store.find(id));
  EXPECT_EQ(store.find(*fresh)->get("user"), "anna");
  EXPECT_EQ(store.find(*fresh)->first_id(), id);
  EXPECT_FALSE(store.rotate(id).has_value());
}

TEST(SessionStore, DestroyedIsGone) {
  ManualClock clock;
  SessionStore store(clock, kTtl, 1);
  const std::string id = store.create().first;
  EXPECT_TRUE(store.destroy(id));
  EXPECT_FALSE(store.destroy(id));
  EXPECT_FALSE(store.find(id));
  EXPECT_EQ(store.stats().destroyed, 1U);
}

TEST(Session, KeepsValues) {
  Session session("x", 0);
  EXPECT_FALSE(session.get("a").has_value());
  session.set("a", "1");
  EXPECT_EQ(session.add("a", 2), 3);
  EXPECT_EQ(session.add("b", -1), -1);
  EXPECT_EQ(session.values().size(), 2U);
  EXPECT_TRUE(session.erase("a"));
  EXPECT_FALSE(session.erase("a"));
}

class SessionValues : public testing::TestWithParam<int> {};

TEST_P(SessionValues, AreSharedByThreads) {
  Session session("x", 0);
  run_threads(GetParam(), [&](int thread) {
    for (int i = 0; i < 20; ++i) {
      session.add("sum", 1);
      session.set("t" + std::to_string(thread), std::to_string(i));
      session.get("t0");
    }
  });
  EXPECT_EQ(session.get("sum"), std::to_string(GetParam() * 20));
  EXPECT_EQ(session.values().size(), static_cast<std::size_t>(GetParam()) + 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, SessionValues, testing::Values(2, 4, 8, 16));

enum class Operation { kCreate, kFind, kDestroy, kRotate, kSweep, kStats, kIds };
constexpr const char* kNames[] = {"Create", "Find", "Destroy", "Rotate", "Sweep", "Stats", "Ids"};

class SessionPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(SessionPairs, WorkTogether) {
  constexpr int kRounds = 12;
  ManualClock clock;
  SessionStore store(clock, kTtl, 3);
  std::vector<std::string> common;
  for (int i = 0; i < 3; ++i) common.push_back(store.create().first);
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      switch (GetParam().of(thread)) {
        case Operation::kCreate:
          good[thread] += store.create().second != nullptr;
          break;
        case Operation::kFind:
          good[thread] += store.find(common[i % common.size()]) != nullptr;
          break;
        case Operation::kDestroy:
          good[thread] += store.destroy(store.create().first);
          break;
        case Operation::kRotate:
          good[thread] += store.rotate(store.create().first).has_value();
          break;
        case Operation::kSweep:
          good[thread] += store.sweep() == 0;
          break;
        case Operation::kStats:
          good[thread] += store.stats().live >= common.size();
          break;
        case Operation::kIds:
          good[thread] += store.ids().size() >= common.size();
          break;
      }
    }
  });
  std::size_t created = common.size();
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    const Operation operation = GetParam().of(thread);
    if (operation == Operation::kCreate || operation == Operation::kRotate) created += kRounds;
  }
  EXPECT_EQ(store.size(), created);
}

INSTANTIATE_TEST_SUITE_P(All, SessionPairs, testing::ValuesIn(all_pairs<Operation>(7, {2, 5})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
