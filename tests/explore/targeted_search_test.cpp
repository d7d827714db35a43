#include "explore/targeted_search.h"

#include <random>

#include <gtest/gtest.h>

#include "explore/bounded_search.h"
#include "random_program.h"
#include "searching.h"

namespace heddle {
namespace {

Instruction on_line(int line, Instruction instruction) {
  instruction.line = line;
  return instruction;
}

// How many executions it takes to show a target; 0: it was not shown.
uint64_t executions_to_show(const Program& program, const Target& target, uint64_t limit = 1000) {
  TargetedSearch targeted({target}, {.patience = limit});
  const SearchResult result = search(program, targeted, limit);
  const TargetedSearch::Result& found = targeted.results()[0];
  if (!found.shown_by) {
    EXPECT_TRUE(result.executions == limit || targeted.is_exhausted());
    return 0;
  }
  const Observation again = interpret(program, *found.shown_by).seen;
  EXPECT_FALSE(again.diverged);
  EXPECT_TRUE(look_for(target, again).shown);
  return result.executions;
}

TEST(LookFor, WantsConsecutiveAccessesOfOneThread) {
  Program program{.variables = {0, 0}};
  const Instruction first = on_line(1, read(0)), then = on_line(2, write(0, 1));
  program.threads = {{first, then, first, then}, {on_line(3, write(0, 2)), on_line(4, write(1, 2))}};
  const auto shown = [&](const Target& target, const std::vector<uint32_t>& threads) {
    Plan plan;
    for (const uint32_t thread : threads) plan.prefix.push_back({thread});
    return look_for(target, interpret(program, plan).seen).shown;
  };
  EXPECT_TRUE(shown({1, 3, 2}, {0, 1}));
  EXPECT_FALSE(shown({1, 3, 2}, {0, 0, 1}));
  EXPECT_TRUE(shown({2, 3, 2}, {0, 0, 1}));
  EXPECT_TRUE(shown({1, 3, 2}, {0, 0, 0, 1}));
  EXPECT_TRUE(shown({1, 4, 2}, {0, 1, 1}));
  EXPECT_FALSE(shown({1, 4, 2, true}, {0, 1, 1}));
  EXPECT_TRUE(shown({1, 3, 2, true}, {0, 1, 1}));
  EXPECT_FALSE(shown({3, 3, 4}, {1, 0, 1}));
}

TEST(TargetedSearch, PutsAnAccessInBetween) {
  Program program{.variables = {0, 0, 0}};
  const std::vector<Instruction> work(50, write(1, 1));
  program.threads = {{on_line(1, read(0)), on_line(2, write(0, 1))}, work};
  program.threads[1].push_back(on_line(3, write(0, 2)));
  EXPECT_EQ(executions_to_show(program, {1, 3, 2, true}), 2u);
  EXPECT_EQ(executions_to_show(program, {1, 3, 2}), 2u);
  // From the other side: what comes first shall come later.
  std::swap(program.threads[0], program.threads[1]);
  EXPECT_LE(executions_to_show(program, {1, 3, 2, true}), 3u);
  EXPECT_EQ(executions_to_show(program, {2, 3, 1}), 0u);
}

TEST(TargetedSearch, BringsLocksAlong) {
  Program program{.variables = {0, 0}};
  const Instruction lock = on(Code::kLock), unlock = on(Code::kUnlock);
  program.threads = {
      {lock, on_line(1, read(0)), unlock, lock, on_line(2, write(0, 1)), on_line(4, write(0, 2)), unlock},
      {lock, on_line(3, write(0, 3)), unlock}};
  EXPECT_EQ(executions_to_show(program, {1, 3, 2, true}), 2u);
  EXPECT_EQ(executions_to_show(program, {2, 3, 4, true}), 0u);
}

TEST(TargetedSearch, ReachesWhatOnlyCertainValuesReach) {
  Program program{.variables = {0, 0}};
  program.threads = {
      {on_line(1, write(1, 1)), on_line(2, write(1, 2))},
      {read(0, 1), {.code = Code::kSkipUnless, .value = 1, .reg = 1, .expected = 7}, on_line(3, read(1))},
      {write(0, 7)}};
  EXPECT_GT(executions_to_show(program, {1, 3, 2, true}), 1u);
}

TEST(TargetedSearch, ShowsSeveralTargetsAndSaysWhatIsLeft) {
  Program program{.variables = {0}};
  program.threads = {{on_line(1, read(0)), on_line(2, write(0, 1)), on_line(5, write(0, 3))},
                     {on_line(3, write(0, 2))}};
  TargetedSearch targeted({{1, 3, 2}, {2, 3, 5}, {5, 3, 1}});
  const SearchResult result = search(program, targeted, 100);
  EXPECT_TRUE(result.finished);
  EXPECT_TRUE(targeted.results()[0].shown_by);
  EXPECT_TRUE(targeted.results()[1].shown_by);
  EXPECT_FALSE(targeted.results()[2].shown_by);
  EXPECT_EQ(result.claim.meaning, "2 of 3 targets shown; nothing is left to try");
  EXPECT_FALSE(result.claim.complete);

  TargetedSearch impatient({{5, 3, 1}}, {.patience = 1});
  EXPECT_EQ(search(program, impatient, 100).executions, 1u);
  EXPECT_FALSE(impatient.is_exhausted());
}

// All executions of a program.
class Enumeration {
 public:
  explicit Enumeration(const Program& program) {
    std::set<uint64_t> places;
    DepthFirstSearch dfs;
    while (all_.size() < 2000) {
      const std::optional<Plan> plan = dfs.next();
      if (!plan) break;
      all_.push_back(interpret(program, *plan).seen);
      dfs.learn(all_.back());
      for (const ObservedStep& step : all_.back().steps) {
        for (const Operation& operation : step.operations) places.insert(operation.place);
      }
    }
    places_.assign(places.begin(), places.end());
    finished_ = dfs.is_over();
  }

  bool finished() const { return finished_; }
  const std::vector<uint64_t>& places() const { return places_; }
  bool shows(const Target& target) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Observation& seen) { return look_for(target, seen).shown; });
  }
  // Three operations that followed each other in one of them, near or far.
  Target draw(std::mt19937& random) const {
    const std::vector<ObservedStep>& steps = all_[random() % all_.size()].steps;
    std::array<size_t, 3> at = {random() % steps.size(), random() % steps.size(), random() % steps.size()};
    std::sort(at.begin(), at.end());
    const auto place = [&](size_t step) {
      return steps[step].operations.empty() ? 0 : steps[step].operations[0].place;
    };
    return {place(at[0]), place(at[1]), place(at[2]), random() % 4 == 0};
  }

 private:
  std::vector<Observation> all_;
  std::vector<uint64_t> places_;
  bool finished_ = false;
};

TEST(TargetedSearch, ShowsWhatEnumerationShows) {
  uint64_t possible = 0, missed = 0, impossible = 0, executions = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed);
    const Enumeration enumeration(program);
    if (!enumeration.finished() || enumeration.places().empty()) continue;
    std::mt19937 random(seed);
    const auto draw_place = [&] { return enumeration.places()[random() % enumeration.places().size()]; };
    for (int i = 0; i < 20; ++i) {
      const Target target = i % 4 == 0 ? Target{draw_place(), draw_place(), draw_place(), random() % 2 == 0}
                                       : enumeration.draw(random);
      const uint64_t needed = executions_to_show(program, target);
      if (enumeration.shows(target)) {
        ++possible;
        missed += needed == 0 ? 1 : 0;
        executions += needed;
      } else {
        ++impossible;
        EXPECT_EQ(needed, 0u) << seed;
      }
    }
  }
  EXPECT_GT(possible, 300u);
  EXPECT_GT(impossible, 3000u);
  EXPECT_EQ(missed, 0u);
  EXPECT_LT(executions, 3 * possible);
}

// Threads that take turns at a lock thousands of times: reversing one race after the other would take as
// many executions.
TEST(TargetedSearch, DoesNotDependOnHowFarApartTheAccessesAre) {
  std::vector<Instruction> work;
  for (int i = 0; i < 2000; ++i)
    work.insert(work.end(), {on(Code::kLock), write(1, i), on(Code::kUnlock), read(2)});
  Program program{.variables = {0, 0, 0}};
  program.threads = {work, work};
  program.threads[0].insert(program.threads[0].end(), {on_line(1, read(0)), on_line(2, write(0, 1))});
  program.threads[1].push_back(on_line(3, write(0, 1)));
  program.threads[1].insert(program.threads[1].end(), work.begin(), work.end());
  EXPECT_EQ(executions_to_show(program, {1, 3, 2, true}), 2u);
  std::swap(program.threads[0], program.threads[1]);
  EXPECT_EQ(executions_to_show(program, {1, 3, 2, true}), 2u);
}

TEST(TargetedSearch, CostsOneExecutionForEachOfManyTargets) {
  Program program{.variables = std::vector<int>(100)};
  program.threads.resize(2);
  std::vector<Target> targets;
  for (int i = 0; i < 100; ++i) {
    for (int round = 0; round < 20; ++round)
      program.threads[0].insert(program.threads[0].end(),
                                {on_line(1000 + i, read(i)), on_line(2000 + i, write(i, 1))});
    program.threads[1].insert(program.threads[1].end(),
                              {on(Code::kLock), on_line(3000 + i, write(i, 2)), on(Code::kUnlock)});
    targets.push_back({1000u + i, 3000u + i, 2000u + i, true});
  }
  TargetedSearch targeted(targets);
  EXPECT_LE(search(program, targeted, 1000).executions, 101u);
  EXPECT_EQ(targeted.coverage(), 100u);
}

TEST(TargetedSearch, CanBeginAgain) {
  Program program{.variables = {0}};
  program.threads = {{on_line(1, read(0)), on_line(2, write(0, 1))}, {on_line(3, write(0, 2))}};
  TargetedSearch targeted({{1, 3, 2}});
  EXPECT_EQ(search(program, targeted, 100).executions, 2u);
  EXPECT_FALSE(targeted.next());
  targeted.begin_again();
  EXPECT_FALSE(targeted.results()[0].shown_by);
  EXPECT_EQ(search(program, targeted, 100).executions, 2u);
  EXPECT_TRUE(targeted.results()[0].shown_by);
}

}  // namespace
}  // namespace heddle
