// Which constraints are solved, what is found again, and what is found at all.
#include "interact/concolic/solver/path_solver.h"

#include <gtest/gtest.h>

#include "recording_builder.h"

namespace heddle::concolic {
namespace {

InputPlace character(uint32_t offset) {
  return {make_source(SourceKind::kArgument, 1), offset};
}

TEST(PathSlice, HasOnlyWhatSharesInputs) {
  RecordingBuilder builder;
  const uint32_t a = builder.input(0, 'a');
  const uint32_t b = builder.input(1, 'b');
  const uint32_t c = builder.input(2, 'c');
  const uint32_t d = builder.input(3, 'd');
  builder.branch(0, builder.is_character(a, 'x'));
  builder.branch(1, builder.binary(Operation::kUlt, a, b));  // joins a and b
  builder.branch(2, builder.is_character(c, 'y'));
  builder.branch(3, builder.is_character(b, 'z'));
  builder.branch(4, builder.binary(Operation::kUlt, c, d));
  const PathIndex path(builder.take());
  EXPECT_EQ(path.constraints_for(3), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(path.constraints_for(4), (std::vector<size_t>{2}));
  EXPECT_EQ(path.constraints_for(0), (std::vector<size_t>{}));
}

TEST(PathSlice, HasEachConditionOnce) {
  RecordingBuilder builder;
  const uint32_t condition = builder.is_character(builder.input(0, 'a'), 'x');
  for (uint32_t i = 0; i < 5; ++i) builder.branch(i, condition);
  const PathIndex path(builder.take());
  EXPECT_EQ(path.constraints_for(4), (std::vector<size_t>{0}));
}

TEST(PathSolver, FindsTheOtherSideAndKnowsWhenThereIsNone) {
  RecordingBuilder builder;
  const uint32_t a = builder.input(0, 'a');
  builder.branch(0, builder.is_character(a, 'x'));
  builder.branch(1, builder.binary(Operation::kUlt, a, builder.constant(8, 'x')));
  builder.branch(2, builder.binary(Operation::kUle, a, builder.constant(8, 'x')));
  const PathIndex path(builder.take());
  PathSolver solver({});
  const Solution first = solver.other_side(path, 0);
  ASSERT_EQ(first.kind, Solution::Kind::kSolved);
  EXPECT_EQ(first.values, (Assignment{{character(0), 'x'}}));
  const Solution second = solver.other_side(path, 1);
  ASSERT_EQ(second.kind, Solution::Kind::kSolved);
  EXPECT_GT(second.values.at(character(0)), uint64_t{'x'});
  // Neither x nor above x, but less than x.
  EXPECT_EQ(solver.other_side(path, 2).kind, Solution::Kind::kUnsatisfiable);
}

TEST(PathSolver, FindsTheSameConstraintsOfAnotherExecutionInTheCache) {
  const auto record = [](char other) {
    RecordingBuilder builder;
    const uint32_t unrelated = builder.input(7, other);
    builder.branch(0, builder.is_character(unrelated, 'q'));
    const uint32_t a = builder.input(0, 'a');
    builder.branch(1, builder.binary(Operation::kUlt, builder.constant(8, 'k'), a));
    return PathIndex(builder.take());
  };
  PathSolver solver({.models_to_try = 0});
  const Solution first = solver.other_side(record('m'), 1);
  const Solution again = solver.other_side(record('n'), 1);
  EXPECT_FALSE(first.was_cached);
  EXPECT_TRUE(again.was_cached);
  EXPECT_EQ(first.values, again.values);
  EXPECT_EQ(solver.counts().solver_calls, 1U);
}

TEST(PathSolver, TriesTheValuesOfEarlierSolutions) {
  RecordingBuilder builder;
  const uint32_t a = builder.input(0, 'a');
  builder.branch(0, builder.is_character(a, 'x'));
  builder.branch(1, builder.binary(Operation::kUlt, builder.constant(8, 'w'), a));
  RecordingBuilder other;
  const uint32_t same = other.input(0, 'a');
  other.branch(1, other.binary(Operation::kUlt, other.constant(8, 'v'), same));
  PathSolver solver({});
  solver.other_side(PathIndex(builder.take()), 0);
  EXPECT_EQ(solver.other_side(PathIndex(other.take()), 0).values, (Assignment{{character(0), 'x'}}));
  EXPECT_EQ(solver.counts().model_hits, 1U);
  EXPECT_EQ(solver.counts().solver_calls, 1U);
}

TEST(PathSolver, GivesUpAddressesThatBarTheWay) {
  RecordingBuilder builder;
  const uint32_t a = builder.input(0, 'a');
  builder.branch(0, builder.is_character(a, 'a'), SiteKind::kAddress);
  builder.branch(1, builder.is_character(a, 'x'));
  PathSolver solver({});
  const Solution solution = solver.other_side(PathIndex(builder.take()), 1);
  EXPECT_EQ(solution.kind, Solution::Kind::kSolved);
  EXPECT_FALSE(solution.is_exact);
}

TEST(PathSolver, TellsStatesApartByTheirPath) {
  const auto record = [](char first) {
    RecordingBuilder builder;
    builder.branch(0, builder.is_character(builder.input(0, first), 'x'));
    builder.branch(1, builder.is_character(builder.input(1, 'b'), 'y'));
    return PathIndex(builder.take());
  };
  EXPECT_EQ(record('a').prefix_key(1), record('b').prefix_key(1));
  EXPECT_NE(record('a').prefix_key(1), record('x').prefix_key(1));
  EXPECT_NE(record('a').prefix_key(0), record('x').prefix_key(0));
}

TEST(PathSolver, SaysUnknownInTimeForWhatIsHard) {
  RecordingBuilder builder;
  std::vector<uint32_t> characters;
  for (uint32_t i = 0; i < 16; ++i) characters.push_back(builder.input(i, 'a'));
  const auto number = [&](uint32_t first) {
    uint32_t value = builder.constant(64, 0);
    for (uint32_t i = first; i < first + 8; ++i) {
      value = builder.binary(Operation::kMul, builder.binary(Operation::kAdd, value, builder.constant(64, 1)),
                             builder.extended(characters[i]));
    }
    return value;
  };
  const uint32_t product = builder.binary(Operation::kMul, number(0), number(8));
  builder.branch(0, builder.binary(Operation::kEq, product, builder.constant(64, 0x7fffffffffffffe7)));
  PathSolver solver({.timeout = std::chrono::milliseconds(50)});
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(solver.other_side(PathIndex(builder.take()), 0).kind, Solution::Kind::kUnknown);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(solver.counts().unknown, 1U);
}

}  // namespace
}  // namespace heddle::concolic
