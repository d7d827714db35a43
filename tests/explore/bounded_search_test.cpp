#include "explore/bounded_search.h"

#include <gtest/gtest.h>

#include "random_program.h"
#include "searching.h"

namespace heddle {
namespace {

// Two threads of n steps each on a variable of their own have (2n)!/(n!)² interleavings.
Program independent_threads(size_t threads, size_t steps) {
  Program program;
  program.variables.resize(threads);
  for (size_t t = 0; t < threads; ++t)
    program.threads.push_back(std::vector<Instruction>(steps, write(static_cast<int>(t), 1)));
  return program;
}

TEST(DepthFirstSearch, ExecutesEveryInterleavingOnce) {
  DepthFirstSearch dfs;
  const SearchResult result = search(independent_threads(2, 3), dfs, 1000, Keep::kSchedules);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.executions, 20u);
  EXPECT_EQ(result.schedules.size(), 20u);
  EXPECT_TRUE(result.claim.complete);
  EXPECT_EQ(result.claim.interleavings, 20u);
}

// Of two threads with n steps, the interleavings without preemption are those where one runs after the other;
// those with one preemption cut either thread at one of n-1 places.
TEST(PreemptionBoundedSearch, CountsInterleavingsByPreemptions) {
  const Program program = independent_threads(2, 4);
  for (const auto& [bound, expected] : {std::pair(0u, 2u), {1u, 2u + 6u}}) {
    PreemptionBoundedSearch pcb(bound);
    const SearchResult result = search(program, pcb, 1000, Keep::kSchedules);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.executions, expected);
    EXPECT_EQ(result.schedules.size(), expected);
    EXPECT_FALSE(result.claim.complete);
  }
}

TEST(DelayBoundedSearch, WithoutDelaysThereIsOneSchedule) {
  const Program program = independent_threads(3, 4);
  DelayBoundedSearch none(0);
  EXPECT_EQ(search(program, none, 1000, Keep::kSchedules).executions, 1u);
  // One delay: at each of the 11 steps before which there is still a choice, or not for the last thread.
  DelayBoundedSearch one(1);
  EXPECT_EQ(search(program, one, 1000, Keep::kSchedules).executions, 1u + 4u + 4u);
}

TEST(BoundedSearch, FindsWhatDepthFirstSearchFindsIfTheBoundIsLarge) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const Program program = random_program(seed);
    DepthFirstSearch dfs;
    const SearchResult all = search(program, dfs, 3000, Keep::kSchedules);
    if (!all.finished) continue;
    EXPECT_EQ(all.schedules.size(), all.executions);
    PreemptionBoundedSearch pcb(100);
    const SearchResult preempted = search(program, pcb, 5000, Keep::kSchedules);
    EXPECT_TRUE(preempted.finished);
    EXPECT_EQ(preempted.executions, all.executions) << seed;
    EXPECT_EQ(preempted.schedules, all.schedules) << seed;
    DelayBoundedSearch delay(200);
    const SearchResult delayed = search(program, delay, 5000, Keep::kSchedules);
    EXPECT_TRUE(delayed.finished);
    EXPECT_EQ(delayed.executions, all.executions) << seed;
    EXPECT_EQ(delayed.schedules, all.schedules) << seed;
  }
}

}  // namespace
}  // namespace heddle
