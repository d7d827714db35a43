#include "explore/hapset_learning.h"

#include <gtest/gtest.h>

#include "explore/bounded_search.h"
#include "explore/hapset_search.h"
#include "explore/optimal_search.h"
#include "random_program.h"
#include "searching.h"

namespace heddle {
namespace {

using Statements = std::vector<uint64_t>;

Instruction at_line(int line, Instruction instruction) {
  instruction.line = line;
  return instruction;
}

// The paper's figure 1: one thread sets a pointer (e1) and clears it (e4), the other one tests it (e2) and
// then uses it (e3).
Program figure_1() {
  Program program;
  program.variables = {0};
  program.threads = {{at_line(1, write(0, 1)), at_line(4, write(0, 0))},
                     {at_line(2, read(0, 0)),
                      {.code = Code::kSkipIf, .value = 2, .reg = 0, .expected = 0},
                      at_line(3, read(0, 1)),
                      {.code = Code::kAssertNot, .reg = 1, .expected = 0}}};
  return program;
}

Observation execute(const Program& program, const std::vector<uint32_t>& threads) {
  Plan plan;
  for (const uint32_t thread : threads) plan.prefix.push_back({thread});
  return interpret(program, plan).seen;
}

TEST(HapSet, HoldsThePredecessorsOfFigure1) {
  HapSet sets;
  learn(execute(figure_1(), {0, 1, 1, 0}), &sets);  // e1 e2 e3 e4
  EXPECT_EQ(sets.before(1), Statements{});
  EXPECT_EQ(sets.before(2), Statements{1});
  EXPECT_EQ(sets.before(3), Statements{});
  EXPECT_EQ(sets.before(4), Statements{3});
}

// "The HaPSets learned from all good runs": e1 and e4 are both before or both after e2 and e3.
TEST(HapSet, HoldsThePredecessorsOfAllGoodRunsOfFigure1) {
  HapSet sets;
  learn(execute(figure_1(), {0, 1, 1, 0}), &sets);
  learn(execute(figure_1(), {1, 0, 0}), &sets);  // e2 finds nothing, e1 e4
  learn(execute(figure_1(), {0, 0, 1}), &sets);  // e1 e4 e2
  EXPECT_EQ(sets.before(1), Statements{2});
  EXPECT_EQ(sets.before(2), (Statements{1, 4}));
  EXPECT_EQ(sets.before(3), Statements{});
  EXPECT_EQ(sets.before(4), Statements{3});
}

TEST(HapSetSearch, FindsTheViolationOfFigure1) {
  HapSetSearch search_for({});
  const SearchResult result = search(figure_1(), search_for, 100);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.outcomes.count(trace::OutcomeKind::kAssertion), 1u);
  EXPECT_FALSE(result.claim.complete);
}

// The paper's figure 2: one thread reads a variable under a lock until it is set, the other one sets it.
Program busy_waiting() {
  Program program;
  program.variables = {0};
  program.patience = 61;  // after which the lock is free
  program.threads = {
      {at_line('f', on(Code::kLock)), at_line('g', write(0, 1)), at_line('h', on(Code::kUnlock))},
      {at_line('b', on(Code::kLock)),
       at_line('c', read(0, 0)),
       at_line('d', on(Code::kUnlock)),
       {.code = Code::kJumpIf, .value = -3, .reg = 0, .expected = 0}}};
  return program;
}

TEST(HapSetSearch, NeedsTwoExecutionsForBusyWaiting) {
  HapSetSearch hapset({});
  const SearchResult guided = search(busy_waiting(), hapset, 1000);
  EXPECT_TRUE(guided.finished);
  EXPECT_EQ(guided.executions, 2u);
  EXPECT_EQ(hapset.sets()->before('b'), Statements{'f'});
  EXPECT_EQ(hapset.sets()->before('c'), Statements{'g'});
  EXPECT_EQ(hapset.sets()->before('f'), Statements{'b'});
  EXPECT_EQ(hapset.sets()->before('g'), Statements{'c'});
  // Without guidance, the more rounds there are, the more there is to try.
  OptimalSearch dpor;
  EXPECT_FALSE(search(busy_waiting(), dpor, 50).finished);
}

TEST(HapSetSearch, ExecutesNothingMoreThanOnceWhenAllIsKnown) {
  HapSetSearch first({});
  search(busy_waiting(), first, 1000);
  HapSetSearch second({}, *first.sets());
  EXPECT_EQ(search(busy_waiting(), second, 1000).executions, 1u);
}

TEST(HapSetSearch, TellsTheReadFromTheWriteOfOneLine) {
  // Two threads that count up. Both orders have been seen.
  const auto counting = [](int read_line, int write_line) {
    Program program;
    program.variables = {0};
    for (int i = 0; i < 2; ++i)
      program.threads.push_back({at_line(read_line, read(0, 0)), at_line(write_line, write(0, 1))});
    return program;
  };
  const auto search_after_both_orders = [&](const Program& program) {
    HapSet sets;
    learn(execute(program, {0, 0, 1, 1}), &sets);
    learn(execute(program, {1, 1, 0, 0}), &sets);
    HapSetSearch search_for({}, sets);
    return search(program, search_for, 100).executions;
  };
  EXPECT_EQ(search_after_both_orders(counting(1, 1)), 1u);
  EXPECT_GT(search_after_both_orders(counting(1, 2)), 1u);
}

// One thread adds to a counter twice, another one takes what has come in two steps (lines 1 and 2). What is
// added between these is lost.
Program collected_in_two_steps() {
  Program program;
  program.variables = {0, 0};
  const Instruction add = at_line(3, on(Code::kFetchAdd, 0, 1));
  program.threads = {{on(Code::kFork, 1),
                      on(Code::kFork, 2),
                      on(Code::kJoin, 1),
                      on(Code::kJoin, 2),
                      read(0, 1),
                      read(1, 2),
                      {.code = Code::kSkipUnless, .value = 1, .reg = 1, .expected = 0},
                      {.code = Code::kAssertNot, .reg = 2, .expected = 1}},
                     {at_line(1, read(0, 0)),
                      {.code = Code::kSkipIf, .value = 2, .reg = 0, .expected = 0},
                      at_line(2, write(0, 0)),
                      {.code = Code::kWrite, .target = 1, .from = 0}},
                     {add, add}};
  return program;
}

// Both orders of lines 1 and 3 are known after two executions. That line 3 came first has put it before line
// 2, too; it must still be tried behind it.
TEST(HapSetSearch, LooksBehindOrdersThatFollowFromKnownOnes) {
  HapSetSearch hapset({});
  const SearchResult result = search(collected_in_two_steps(), hapset, 100);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.outcomes.count(trace::OutcomeKind::kAssertion), 1u);
  EXPECT_LE(result.executions, 10u);
}

TEST(HapSetSearch, FindsTheSameAfterItHasBegunAgain) {
  for (uint64_t restart = 1; restart <= 4; ++restart) {
    HapSetSearch hapset({});
    uint64_t executions = 0;
    bool found = false;
    while (const std::optional<Plan> plan = hapset.next()) {
      const Observation seen = interpret(collected_in_two_steps(), *plan).seen;
      hapset.learn(seen);
      if (++executions == restart) {
        hapset.begin_again();
      } else if (executions > restart) {
        found = found || seen.outcome == trace::OutcomeKind::kAssertion;
      }
    }
    EXPECT_TRUE(found) << "begun again after execution " << restart;
  }
}

TEST(HapSetSearch, LearnsFromRandomExecutionsFirst) {
  HapSetSearch hapset({.learning_runs = 20, .seed = 1});
  const SearchResult result = search(busy_waiting(), hapset, 1000);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.executions, 21u);
}

TEST(HapSetSearch, FindsASubsetAndEnds) {
  uint64_t all_states = 0;
  uint64_t found_states = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const Program program = random_program(seed);
    DepthFirstSearch dfs;
    const SearchResult all = search(program, dfs, 1500);
    if (!all.finished) continue;
    for (const std::optional<uint32_t> preemptions :
         {std::optional<uint32_t>(), std::optional<uint32_t>(2)}) {
      HapSetSearch hapset({.preemptions = preemptions});
      const SearchResult guided = search(program, hapset, 1500);
      ASSERT_TRUE(guided.finished) << seed;
      ASSERT_EQ(guided.diverged, 0u) << seed;
      ASSERT_LE(guided.executions, all.executions) << seed;
      ASSERT_TRUE(std::includes(all.final_states.begin(), all.final_states.end(), guided.final_states.begin(),
                                guided.final_states.end()))
          << seed;
      if (preemptions) continue;
      all_states += all.final_states.size();
      found_states += guided.final_states.size();
    }
  }
  EXPECT_GT(found_states * 3, all_states);
}

TEST(HapSet, MergesByUnionAndForgetsWhatChanged) {
  HapSet a, b;
  a.add({1, 2, false});
  b.add({1, 2, false});
  b.add({3, 4, true});
  EXPECT_EQ(a.merge(b), 1u);
  EXPECT_EQ(a.size(), 2u);
  a.drop({4});
  EXPECT_EQ(a.before(3), Statements{});
  EXPECT_EQ(a.before(1), Statements{2});
  a.drop({1});
  EXPECT_EQ(a.size(), 0u);
}

}  // namespace
}  // namespace heddle
