#include "explore/optimal_search.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "explore/bounded_search.h"
#include "random_program.h"
#include "searching.h"

namespace heddle {
namespace {

SearchResult search_all(const Program& program, uint64_t limit = 1'000'000) {
  OptimalSearch dpor;
  SearchResult result = search(program, dpor, limit);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.blocked, 0u);
  EXPECT_EQ(result.diverged, 0u);
  return result;
}

uint64_t factorial(uint64_t n) {
  return n == 0 ? 1 : n * factorial(n - 1);
}

TEST(OptimalSearch, LocksOfOneMutexHaveFactorialManyOrders) {
  for (size_t n = 1; n <= 6; ++n) {
    Program program;
    program.threads.assign(n, {on(Code::kLock), on(Code::kUnlock)});
    EXPECT_EQ(search_all(program).executions, factorial(n));
  }
}

TEST(OptimalSearch, ReadersOfOneVariableCommute) {
  for (size_t n = 1; n <= 10; ++n) {
    Program program;
    program.variables = {0};
    program.threads.assign(n, {read(0)});
    program.threads.push_back({write(0, 1)});
    EXPECT_EQ(search_all(program).executions, uint64_t{1} << n);
  }
}

// n writers a[j] = a[j-1] + 1, and one thread that looks for the last zero from above.
Program last_zero(int n) {
  Program program;
  program.variables.assign(static_cast<size_t>(n) + 1, 0);
  program.threads.push_back({
      {.code = Code::kSet, .value = n, .reg = 1},
      {.code = Code::kRead, .target = 0, .reg = 0, .index = 1},
      {.code = Code::kSkipIf, .value = 2, .reg = 0, .expected = 0},
      {.code = Code::kAdd, .value = -1, .reg = 1},
      {.code = Code::kJumpIf, .value = -3, .reg = 2, .expected = 0},
  });
  for (int j = 1; j <= n; ++j) {
    program.threads.push_back({read(j - 1, 0), {.code = Code::kWrite, .target = j, .value = 1, .from = 0}});
  }
  return program;
}

TEST(OptimalSearch, LastZero) {
  for (int n : {2, 3, 5, 8, 10})
    EXPECT_EQ(search_all(last_zero(n)).executions, (uint64_t{1} << (n - 2)) * static_cast<uint64_t>(n + 3))
        << n;
}

// Flanagan and Godefroid, POPL 2005, figure 1: threads insert four messages each into a hash table of 128
// places. Up to eleven threads there are no collisions.
Program indexer(int threads) {
  constexpr int kSize = 128;
  constexpr int kMax = 4;
  Program program;
  program.variables.assign(kSize, 0);
  for (int tid = 0; tid < threads; ++tid) {
    std::vector<Instruction> code;
    for (int m = 1; m <= kMax; ++m) {
      const int w = m * 11 + tid;
      // From its hash to the next free place; there are few collisions, so that many attempts are enough.
      const int hash = w * 7 % kSize;
      constexpr int kAttempts = 4;
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        code.push_back({.code = Code::kExchange, .target = (hash + attempt) % kSize, .value = w, .reg = 0});
        const int rest = (kAttempts - 1 - attempt) * 2;
        code.push_back({.code = Code::kSkipIf, .value = rest, .reg = 0, .expected = 1});
      }
    }
    program.threads.push_back(std::move(code));
  }
  return program;
}

TEST(OptimalSearch, Indexer) {
  EXPECT_EQ(search_all(indexer(11)).executions, 1u);
  EXPECT_EQ(search_all(indexer(12)).executions, 8u);
  EXPECT_EQ(search_all(indexer(13)).executions, 64u);
  EXPECT_EQ(search_all(indexer(14)).executions, 512u);
  EXPECT_EQ(search_all(indexer(15)).executions, 4096u);
}

// Two threads that take two locks in opposite orders: either one first, or the deadlock.
TEST(OptimalSearch, ReversesTheLocksOfADeadlock) {
  Program program;
  program.mutexes = 2;
  for (const int first : {0, 1}) {
    program.threads.push_back({on(Code::kLock, first), on(Code::kLock, 1 - first),
                               on(Code::kUnlock, 1 - first), on(Code::kUnlock, first)});
  }
  SearchResult result = search_all(program);
  EXPECT_EQ(result.executions, 3u);
  EXPECT_EQ(result.outcomes[trace::OutcomeKind::kDeadlock], 1u);
}

TEST(OptimalSearch, TriesWhetherATimedWaitIsNotifiedInTime) {
  Program program;
  program.threads = {{on(Code::kLock), on(Code::kTimedWait), on(Code::kUnlock)}, {on(Code::kNotifyOne)}};
  const SearchResult result = search_all(program);
  EXPECT_EQ(result.final_states.size(), 2u);
  EXPECT_EQ(result.executions, 3u);  // notified; timed out before the notify; the notify comes too early
}

TEST(OptimalSearch, TriesEveryThreadThatANotifyCanWake) {
  Program program;
  const std::vector<Instruction> waiter = {on(Code::kLock), on(Code::kWait), on(Code::kUnlock)};
  program.threads = {waiter, waiter, waiter, {on(Code::kLock), on(Code::kNotifyOne), on(Code::kUnlock)}};
  DepthFirstSearch dfs;
  const SearchResult all = search(program, dfs, 1'000'000, Keep::kOrders);
  OptimalSearch dpor;
  const SearchResult reduced = search(program, dpor, 1'000'000, Keep::kOrders);
  EXPECT_EQ(reduced.orders, all.orders);
  EXPECT_EQ(reduced.repeated, 0u);
  EXPECT_EQ(reduced.blocked, 0u);
}

// A failure that hides what another thread would have done.
TEST(OptimalSearch, GoesOnBehindAFailure) {
  Program program;
  program.variables = {0, 0};
  program.threads = {{read(0, 0), {.code = Code::kAssertNot, .reg = 0, .expected = 0}},
                     {write(1, 1), write(0, 1)}};
  SearchResult result = search_all(program);
  EXPECT_EQ(result.outcomes.count(trace::OutcomeKind::kAssertion), 1u);
  EXPECT_EQ(result.outcomes[trace::OutcomeKind::kOk], 1u);
}

// Equal final states, failures and classes of equivalent executions, none of them twice. What other threads
// had done when one failed does not count.
TEST(OptimalSearch, FindsWhatDepthFirstSearchFindsAndNothingTwice) {
  uint64_t compared = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const Program program = random_program(seed);
    DepthFirstSearch dfs;
    const SearchResult all = search(program, dfs, 1500, Keep::kOrders);
    if (!all.finished) continue;
    compared++;
    OptimalSearch dpor;
    const SearchResult reduced = search(program, dpor, 1500, Keep::kOrders);
    const std::string where = std::to_string(seed) + "\n" + print(program);
    ASSERT_TRUE(reduced.finished) << where;
    ASSERT_TRUE(reduced.claim.complete) << where;
    if (program.spurious) {  // whether these are possible depends on what all other threads can do
      ASSERT_TRUE(
          std::includes(all.orders.begin(), all.orders.end(), reduced.orders.begin(), reduced.orders.end()))
          << where;
      continue;
    }
    ASSERT_EQ(reduced.final_states, all.final_states) << where;
    ASSERT_EQ(reduced.orders, all.orders) << where;
    ASSERT_EQ(reduced.repeated, 0u) << where;
    ASSERT_EQ(reduced.blocked, 0u) << where;
    ASSERT_EQ(reduced.diverged, 0u) << where;
  }
  EXPECT_GT(compared, 2000u);
}

}  // namespace
}  // namespace heddle
