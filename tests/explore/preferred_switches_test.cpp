#include "explore/preferred_switches.h"

#include <gtest/gtest.h>

#include "random_program.h"
#include "searching.h"

namespace heddle {
namespace {

Instruction at(int line, Instruction instruction) {
  instruction.line = line;
  return instruction;
}

// Two threads that each work alone, then add to a counter in two steps.
Program counting(size_t work) {
  Program program{.variables = {0, 0, 0}};
  for (int t = 0; t < 2; ++t) {
    std::vector<Instruction> code(work, write(1 + t, 1));
    code.push_back(at(10, read(0, 1)));
    code.push_back(at(11, {.code = Code::kWrite, .target = 0, .value = 1, .from = 1}));
    program.threads.push_back(code);
  }
  return program;
}

TEST(PreferredSwitchSearch, DoesNotDependOnTheLengthOfOtherWork) {
  uint64_t executions = 0;
  for (const size_t work : {1u, 10u, 100u}) {
    PreferredSwitchSearch search_around(1, {11});
    const SearchResult result = search(counting(work), search_around, 1000);
    EXPECT_TRUE(result.finished);
    EXPECT_TRUE(executions == 0 || executions == result.executions) << work;
    executions = result.executions;
    EXPECT_EQ(result.final_states.size(), 3u);  // one after the other, in either order, or an update is lost
    EXPECT_EQ(result.claim.meaning, "all interleavings with at most 1 preemption, all before one of 1 place");
  }
  EXPECT_EQ(executions, 4u);
}

TEST(PreferredSwitchSearch, WithAllPlacesIsPreemptionBoundedSearch) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Program program = random_program(seed);
    PreemptionBoundedSearch bounded(1);
    const SearchResult expected = search(program, bounded, 2000, Keep::kSchedules);
    std::unordered_set<uint64_t> places;
    for (uint64_t thread = 1; thread <= program.threads.size(); ++thread) {
      for (uint64_t i = 0; i < 100; ++i) places.insert(thread * 1000 + i);
    }
    PreferredSwitchSearch all(1, places);
    EXPECT_EQ(search(program, all, 2000, Keep::kSchedules).schedules, expected.schedules) << seed;
    PreferredSwitchSearch none(1, {});
    PreemptionBoundedSearch unbounded(0);
    EXPECT_EQ(search(program, none, 2000, Keep::kSchedules).schedules,
              search(program, unbounded, 2000, Keep::kSchedules).schedules)
        << seed;
  }
}

// Executions until an update is lost.
uint64_t executions_to_lose(const Program& program, Strategy& strategy, std::set<uint64_t> preferred) {
  for (uint64_t executed = 1; const std::optional<Plan> plan = strategy.next(); ++executed) {
    Run made = interpret(program, *plan);
    for (ObservedStep& step : made.seen.steps)
      for (Operation& operation : step.operations)
        operation.is_preferred = preferred.contains(operation.place);
    if (made.final_state.find(": 1 ") != std::string::npos) return executed;
    strategy.learn(made.seen);
  }
  return 0;
}

TEST(PreferringSearch, ComesSoonerToAFailureAroundWhatIsPreferred) {
  const Program program = counting(100);
  PreemptionBoundedSearch in_order(1);
  const uint64_t without = executions_to_lose(program, in_order, {});
  PreferringSearch preferring(1);
  const uint64_t with = executions_to_lose(program, preferring, {11});
  EXPECT_GT(with, 0u);
  EXPECT_GE(without, 10 * with) << without << " and " << with;
}

TEST(PreferringSearch, ExecutesWhatPreemptionBoundedSearchDoes) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const Program program = random_program(seed);
    PreemptionBoundedSearch bounded(1);
    PreferringSearch preferring(1);
    const SearchResult expected = search(program, bounded, 2000, Keep::kSchedules);
    const SearchResult result = search(program, preferring, 2000, Keep::kSchedules);
    EXPECT_EQ(result.schedules, expected.schedules) << seed;
    EXPECT_EQ(result.claim.meaning, expected.claim.meaning);
  }
}

TEST(PlacesAround, AreThoseThatConflictAndTheirLocks) {
  Program program{.variables = {0, 0}};
  program.threads = {
      {at(1, on(Code::kLock)), at(2, write(0, 1)), at(3, on(Code::kUnlock)), at(4, write(1, 1))},
      {at(5, on(Code::kLock)), at(6, read(0)), at(7, on(Code::kUnlock)), at(8, read(1))}};
  const Observation seen = interpret(program, {}).seen;
  EXPECT_EQ(places_around(seen, {2}), (std::unordered_set<uint64_t>{1, 2, 5, 6}));
  EXPECT_EQ(places_around(seen, {8}), (std::unordered_set<uint64_t>{4, 8}));
  EXPECT_TRUE(places_around(seen, {}).empty());
}

}  // namespace
}  // namespace heddle
