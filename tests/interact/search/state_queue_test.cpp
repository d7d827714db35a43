// The choice of states, without a program.
#include "interact/search/state_queue.h"

#include <map>

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

// Kinds are told apart by their site, which is also the cost.
class StateQueueTest : public testing::Test {
 protected:
  static StateQueue make(double random_share = 0, uint64_t seed = 1) {
    return StateQueue([](const StateKind& kind) { return kind.site; }, random_share, seed);
  }
  static void add(StateQueue& queue, uint32_t cost, uint32_t path, uint64_t sequence = 0) {
    queue.add(queue.kind({.site = cost}), {.path = path, .sequence = sequence});
  }
  // The next state's path; each attempt costs as much as the next.
  static uint32_t next(StateQueue& queue) {
    const std::optional<StateQueue::Taken> taken = queue.take();
    if (!taken) return kNone;
    queue.charge(taken->kind, 1);
    return taken->state.path;
  }
};

TEST_F(StateQueueTest, TheNearestIsFirst) {
  StateQueue queue = make();
  add(queue, 9, 1);
  add(queue, 4, 2);
  add(queue, 25, 3);
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(next(queue), 2u);
  EXPECT_EQ(next(queue), 1u);
  EXPECT_EQ(next(queue), 3u);
  EXPECT_EQ(next(queue), kNone);
  EXPECT_EQ(queue.size(), 0u);
}

TEST_F(StateQueueTest, ALoopThatOpensStatesForEverDoesNotStarveOthers) {
  StateQueue queue = make();
  add(queue, 1, 1);
  add(queue, 100, 2);
  size_t turns = 0;
  for (uint32_t path = 3; next(queue) != 2; ++path, ++turns) {
    add(queue, 1, path);
    ASSERT_LT(turns, 101u);
  }
  EXPECT_GE(turns, 99u);  // but it has its share
}

TEST_F(StateQueueTest, KindsGetTurnsInProportion) {
  StateQueue queue = make();
  std::map<uint32_t, size_t> turns;
  for (uint32_t i = 0; i < 1000; ++i) {
    add(queue, 1, 1);
    add(queue, 4, 4);
  }
  for (int i = 0; i < 1000; ++i) ++turns[next(queue)];
  EXPECT_NEAR(static_cast<double>(turns[1]), 800, 5);
  EXPECT_NEAR(static_cast<double>(turns[4]), 200, 5);
}

// 40 kinds of one call against one branch of the program, all as near.
TEST_F(StateQueueTest, ACallOfALibraryFunctionGetsNoMoreTurnsThanAFewBranches) {
  StateQueue queue([](const StateKind&) { return 5; }, 0, 1);
  std::map<uint32_t, size_t> turns;
  for (uint32_t site = 0; site <= 40; ++site)
    for (int i = 0; i < 600; ++i)
      queue.add(queue.kind({.site = site, .caller = site == 0 ? 0u : 7u}), {.path = site == 0 ? 0u : 1u});
  for (int i = 0; i < 500; ++i) ++turns[next(queue)];
  EXPECT_NEAR(static_cast<double>(turns[0]), 108, 30);  // 40 / (1 + 40 / 4) against 1
  EXPECT_NEAR(static_cast<double>(turns[1]), 392, 30);
}

TEST_F(StateQueueTest, OfOneKindTheNewestAndTheOldestTakeTurns) {
  StateQueue queue = make();
  for (uint32_t path = 1; path <= 4; ++path) add(queue, 1, path);
  EXPECT_EQ(next(queue), 4u);
  EXPECT_EQ(next(queue), 1u);
  EXPECT_EQ(next(queue), 3u);
  EXPECT_EQ(next(queue), 2u);
}

TEST_F(StateQueueTest, TheRestOfAPathComesWhenItsKindHasNoOtherStates) {
  StateQueue queue = make();
  const StateQueue::KindIndex kind = queue.kind({.site = 1});
  queue.add(kind, {.path = 7, .is_rest = true});
  queue.add(kind, {.path = 1});
  EXPECT_FALSE(queue.take()->state.is_rest);
  EXPECT_TRUE(queue.take()->state.is_rest);
  EXPECT_FALSE(queue.take());
}

TEST_F(StateQueueTest, StatesOfKnownSequencesAreLast) {
  StateQueue queue = make();
  add(queue, 1, 1, 77);
  add(queue, 1, 2, 77);
  add(queue, 900, 3, 5);
  queue.mark_known(77);
  EXPECT_EQ(next(queue), 3u);
  EXPECT_EQ(queue.size(), 2u);
  add(queue, 900, 4, 6);
  EXPECT_EQ(next(queue), 4u);
  EXPECT_NE(next(queue), kNone);
  EXPECT_NE(next(queue), kNone);
  EXPECT_EQ(next(queue), kNone);
}

TEST_F(StateQueueTest, CostsAreAskedForAgainWhenTheyChange) {
  uint32_t near = 1;
  StateQueue queue([&](const StateKind& kind) { return kind.site == near ? 1 : 50; }, 0, 1);
  for (uint32_t site : {1, 1, 2, 2}) add(queue, site, site);
  EXPECT_EQ(next(queue), 1u);
  near = 2;
  queue.forget_costs();
  EXPECT_EQ(next(queue), 2u);
}

TEST_F(StateQueueTest, SomeAreRandomAndTheSameForTheSameSeed) {
  const auto order = [&](double share, uint64_t seed) {
    StateQueue queue = make(share, seed);
    for (uint32_t path = 0; path < 200; ++path) add(queue, 1 + path * path, path);
    std::vector<uint32_t> paths;
    for (uint32_t path; (path = next(queue)) != kNone;) paths.push_back(path);
    return paths;
  };
  EXPECT_EQ(order(0.3, 5), order(0.3, 5));
  EXPECT_NE(order(0.3, 5), order(0.3, 6));
  EXPECT_EQ(order(0, 5), order(0, 6));
  const std::vector<uint32_t> some = order(0.3, 5);
  EXPECT_EQ(std::set<uint32_t>(some.begin(), some.end()).size(), 200u);
}

}  // namespace
}  // namespace heddle::interact
