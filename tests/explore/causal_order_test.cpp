#include "explore/causal_order.h"

#include <random>

#include <gtest/gtest.h>

namespace heddle {
namespace {

using trace::EventKind;

struct RandomStep {
  uint32_t thread = 0;
  Effects effects;
};

// Accesses of all sizes to a few bytes, so that they overlap in every way.
RandomStep random_step(std::mt19937& random) {
  RandomStep step{.thread = static_cast<uint32_t>(random() % 5), .effects = {}};
  constexpr EventKind kKinds[] = {EventKind::kRead,    EventKind::kWrite,   EventKind::kAtomicUpdate,
                                  EventKind::kSemPost, EventKind::kSemWait, EventKind::kNotifyAll};
  for (size_t n = 1 + random() % 2; n > 0; --n) {
    const Operation operation{.kind = kKinds[random() % std::size(kKinds)],
                              .object = 1 + random() % 2,
                              .offset = random() % 16,
                              .size = 1 + random() % 8};
    step.effects.push_back(effect_of(operation));
  }
  return step;
}

// By definition: in the same thread, or dependent, or by way of a third step.
std::vector<std::vector<bool>> order_by_definition(const std::vector<RandomStep>& steps) {
  std::vector<std::vector<bool>> before(steps.size(), std::vector<bool>(steps.size()));
  for (size_t j = 0; j < steps.size(); ++j) {
    before[j][j] = true;
    for (size_t i = j; i-- > 0;) {
      if (steps[i].thread != steps[j].thread && !depend(steps[i].effects, steps[j].effects)) continue;
      for (size_t k = 0; k <= i; ++k) before[k][j] = before[k][j] || before[k][i];
    }
  }
  return before;
}

void expect_order(const CausalOrder& order, const std::vector<RandomStep>& steps) {
  const auto expected = order_by_definition(steps);
  for (size_t j = 0; j < steps.size(); ++j) {
    for (size_t i = 0; i < j; ++i) ASSERT_EQ(order.happens_before(i, j), expected[i][j]) << i << " " << j;
  }
}

TEST(CausalOrder, IsTheOneOfTheDefinitionAlsoAfterStepsWereTakenBack) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    CausalOrder order;
    std::vector<RandomStep> steps;
    for (int round = 0; round < 5; ++round) {
      const size_t kept = steps.empty() ? 0 : random() % steps.size();
      order.pop_to(kept);
      steps.resize(kept);
      while (steps.size() < 40) {
        steps.push_back(random_step(random));
        std::vector<Race> races;
        order.push(steps.back().thread, steps.back().effects, &races);
      }
      ASSERT_NO_FATAL_FAILURE(expect_order(order, steps)) << seed;
    }
  }
}

// A race is an edge that no third step explains.
TEST(CausalOrder, RacesAreTheEdgesThatNothingElseExplains) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    CausalOrder order;
    std::vector<RandomStep> steps;
    for (uint32_t j = 0; j < 40; ++j) {
      RandomStep step = random_step(random);
      step.effects.resize(1);
      if (step.effects[0].kind == trace::OperationClass::kTake) continue;  // see LocksRaceWithLocks
      steps.push_back(step);
      std::vector<Race> races;
      order.push(step.thread, step.effects, &races);
      const auto before = order_by_definition(steps);
      const size_t last = steps.size() - 1;
      for (uint32_t i = 0; i < last; ++i) {
        bool immediate = before[i][last] && steps[i].thread != step.thread;
        for (size_t k = i + 1; k < last; ++k) immediate = immediate && !(before[i][k] && before[k][last]);
        const bool found =
            std::any_of(races.begin(), races.end(), [&](const Race& race) { return race.first == i; });
        ASSERT_EQ(found, immediate) << seed << ": " << i << " " << last;
      }
    }
  }
}

TEST(CausalOrder, LocksRaceWithLocks) {
  CausalOrder order;
  std::vector<Race> races;
  const Effects lock = {effect_of({.kind = EventKind::kLock, .object = 1})};
  const Effects unlock = {effect_of({.kind = EventKind::kUnlock, .object = 1})};
  order.push(0, lock, &races);
  order.push(0, unlock, &races);
  EXPECT_TRUE(races.empty());
  order.push(1, lock, &races);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].first, 0u);
  EXPECT_TRUE(order.happens_before(1, 2));
  EXPECT_FALSE(order.is_in(races[0].past, 1));  // it need not wait for the unlock if it comes first
}

}  // namespace
}  // namespace heddle
