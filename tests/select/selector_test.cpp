#include "select/selector.h"

#include <gtest/gtest.h>

#include "select/nearest.h"

namespace heddle::select {
namespace {

struct Line {
  uint32_t line;
  std::vector<std::string> threads;
};

TestRecord record(const std::vector<Line>& lines, uint32_t threads = 3) {
  FunctionActivity activity;
  activity.file = "a.cpp";
  for (const Line& line : lines) {
    activity.blocks.push_back({line.line, 1, static_cast<uint32_t>(activity.thread_sets.size())});
    activity.thread_sets.push_back({line.threads, static_cast<uint32_t>(line.threads.size())});
  }
  TestRecord result;
  result.threads = threads;
  result.functions.push_back(std::make_shared<FunctionActivity>(std::move(activity)));
  return result;
}

Coverage coverage_of(const std::vector<TestRecord>& records) {
  Coverage coverage;
  for (uint32_t i = 0; i < records.size(); ++i) coverage.add(i, records[i]);
  coverage.finish();
  return coverage;
}

std::vector<TestIndex> tests_of(const OldBlock& block, const Coverage& coverage) {
  std::vector<TestIndex> tests;
  for (const CoveringTest& covering : coverage.of(block)) tests.push_back(covering.test);
  return tests;
}

TEST(Coverage, AsksTheFirstLinesThatWereEverSeen) {
  const Coverage coverage =
      coverage_of({record({{5, {"main/1"}}, {9, {"main/1"}}}), record({{5, {"main/1"}}})});
  // The statement's, its block's, and those of the block that dominates it.
  EXPECT_EQ(tests_of({"a.cpp", "f", 9, {{9}, {9}, {5}}}, coverage), (std::vector<TestIndex>{0}));
  EXPECT_EQ(tests_of({"a.cpp", "f", 7, {{7}, {7}, {5}}}, coverage), (std::vector<TestIndex>{0, 1}));
  EXPECT_EQ(tests_of({"b.cpp", "f", 9, {{9}, {9}, {5}}}, coverage), (std::vector<TestIndex>{}));
}

TEST(Coverage, InstancesOfATemplateMayHaveTheirBlocksElsewhere) {
  const Coverage coverage = coverage_of({record({{5, {"main/1"}}}), record({{6, {"main/1"}}})});
  EXPECT_EQ(tests_of({"a.cpp", "f", 5, {{5}, {5, 6}}}, coverage), (std::vector<TestIndex>{0, 1}));
}

TEST(Coverage, UnitesTheThreadsOfTheLinesOfABlock) {
  const Coverage coverage = coverage_of({record({{5, {"main/1"}}, {6, {"main/2"}}})});
  const std::vector<CoveringTest> covering = coverage.of({"a.cpp", "f", 5, {{5, 6}}});
  ASSERT_EQ(covering.size(), 1u);
  EXPECT_EQ(*covering[0].threads, (ThreadSet{{"main/1", "main/2"}, 2}));
}

TEST(Coverage, AFunctionOfWhichNothingWasSeenIsWhereItIsCalled) {
  const Coverage coverage = coverage_of({record({{5, {"main/1"}}}), record({{9, {"main/2"}}})});
  const OldBlock inlined{"a.h", "f", 1, {{1}, {1}}, 1, {{{"a.cpp", 7}}, {{"a.cpp", 9}}}};
  EXPECT_EQ(tests_of(inlined, coverage), (std::vector<TestIndex>{1})) << "the nearest level that was seen";
  const OldBlock seen{"a.cpp", "f", 5, {{5}, {5}}, 5, {{{"a.cpp", 9}}}};
  EXPECT_EQ(tests_of(seen, coverage), (std::vector<TestIndex>{0}));
}

TEST(Coverage, AFunctionOfWhichOnlyALineWithoutStatementWasSeenIsExecuted) {
  const Coverage coverage = coverage_of({record({{11, {"main/1"}}}), record({{20, {"main/2"}}})});
  const OldBlock block{"a.cpp", "f", 10, {{10}, {10}, {9}}, 10, {{{"a.cpp", 20}}}, 9, 12};
  EXPECT_EQ(tests_of(block, coverage), (std::vector<TestIndex>{0}));
}

SharedVariable at(uint32_t block) {
  SharedVariable variable;
  variable.old_block = block;
  variable.rule = Rule::kAccess;
  return variable;
}

const std::vector<OldBlock> kBlocks = {{"a.cpp", "f", 1, {{1}}, 1}, {"a.cpp", "f", 2, {{2}}, 2}};

std::vector<bool> covers(const std::vector<TestRecord>& records, const ImpactedPair& pair,
                         const SelectorOptions& options = {}) {
  const PairCoverage covered =
      cover_pairs({at(0), at(1), at(kNone)}, kBlocks, {pair}, coverage_of(records), options);
  std::vector<bool> result;
  for (const auto& pairs : covered.pairs_of) result.push_back(!pairs.empty());
  EXPECT_EQ(covered.uncovered.empty(), std::count(result.begin(), result.end(), true) > 0);
  return result;
}

TEST(Selector, WantsTheTwoSidesInDifferentThreads) {
  EXPECT_EQ(covers({record({{1, {"main/1"}}, {2, {"main/2"}}}), record({{1, {"main/1"}}, {2, {"main/1"}}}),
                    record({{1, {"main/1"}}})},
                   {0, 1}),
            (std::vector<bool>{true, false, false}));
  EXPECT_EQ(covers({record({{1, {"main/1"}}, {2, {"main/1"}}})}, {0, 1}, {.by_thread = false}),
            (std::vector<bool>{true}));
}

TEST(Selector, AnAccessRacesWithItselfIfTwoThreadsExecuteIt) {
  EXPECT_EQ(covers({record({{1, {"main/1"}}}), record({{1, {"main/1", "main/2"}}})}, {0, 0}),
            (std::vector<bool>{false, true}));
}

TEST(Selector, WhatAThreadDidAloneCannotRace) {
  EXPECT_EQ(covers({record({{1, {}}, {2, {"main/1"}}})}, {0, 1}), (std::vector<bool>{false}));
}

// A record in which the lines also read and write shared memory.
TestRecord sharing(const std::vector<Line>& lines) {
  TestRecord result = record(lines);
  FunctionActivity activity = *result.functions.front();
  for (const FunctionActivity::Block& block : activity.blocks)
    activity.accesses.push_back(
        {block.line, 1, access_kind::kRead | access_kind::kWrite, block.threads, "x"});
  result.functions.front() = std::make_shared<FunctionActivity>(std::move(activity));
  return result;
}

TEST(Selector, WhatTheOldProgramDoesAsWellHasBeenSeenToShareMemory) {
  const std::vector<Line> lines = {{1, {"main/1"}}, {2, {"main/2"}}};
  const auto covers_with = [&](Rule first, bool is_sure) {
    SharedVariable impacted = at(0);
    impacted.rule = first;
    SharedVariable other = at(1);
    other.rule = Rule::kUnaffected;
    other.is_write = true;
    const PairCoverage covered = cover_pairs({impacted, other}, kBlocks, {{0, 1, is_sure}},
                                             coverage_of({record(lines), sharing(lines)}));
    return std::vector<bool>{!covered.pairs_of[0].empty(), !covered.pairs_of[1].empty()};
  };
  EXPECT_EQ(covers_with(Rule::kSynchronisation, true), (std::vector<bool>{false, true}));
  EXPECT_EQ(covers_with(Rule::kAccess, true), (std::vector<bool>{true, true}))
      << "the new access may be the first";
  EXPECT_EQ(covers_with(Rule::kAccess, false), (std::vector<bool>{false, true}));
}

// Line 2 is executed by nobody in two threads; line 1 decides about it.
TEST(Nearest, OfAChangeThatNoTestMeetsAreThoseThatReachWhatDecides) {
  ChangedProgram changed;
  changed.old_blocks = {{"a.cpp", "f", 2, {{2}, {2}, {1}}, 2}};
  changed.variables = {at(0)};
  changed.variables[0].function = "f";
  const std::vector<ImpactedPair> pairs = {{0, 0}};
  const auto nearest = [&](const std::vector<TestRecord>& records) {
    const Coverage coverage = coverage_of(records);
    const PairCoverage covered = cover_pairs(changed.variables, changed.old_blocks, pairs, coverage);
    std::vector<TestIndex> tests;
    for (const NearTest& test : nearest_tests(changed, pairs, covered, coverage)) tests.push_back(test.test);
    return tests;
  };
  const TestRecord alone = record({{1, {"main/1"}}, {2, {"main/1"}}});
  const TestRecord near = record({{1, {"main/1", "main/2"}}, {2, {"main/1"}}});
  const TestRecord meeting = record({{1, {"main/1", "main/2"}}, {2, {"main/1", "main/2"}}});
  EXPECT_EQ(nearest({alone, near}), (std::vector<TestIndex>{1}));
  EXPECT_EQ(nearest({alone, near, meeting}), (std::vector<TestIndex>{})) << "a test meets it";
  TestRecord crowded = near;
  crowded.threads = 9;
  EXPECT_EQ(nearest({near, near, crowded, near, crowded, crowded}), (std::vector<TestIndex>{2, 4, 5}))
      << "a few, with many threads";
}

TEST(Selector, WhatTheChangeOnlyDecidesRacesWithANewAccessWhereverItIsMade) {
  const auto is_covered_with = [&](Rule other) {
    SharedVariable read = at(0);
    read.rule = other;
    SharedVariable decided = at(1);
    decided.rule = Rule::kSlice;
    decided.is_write = true;
    const PairCoverage covered = cover_pairs({read, decided}, kBlocks, {{0, 1, true}},
                                             coverage_of({record({{1, {"main/1"}}, {2, {"main/2"}}})}));
    return !covered.pairs_of[0].empty();
  };
  EXPECT_TRUE(is_covered_with(Rule::kAccess));
  EXPECT_FALSE(is_covered_with(Rule::kSynchronisation)) << "they would have raced before";
}

TEST(Selector, AnOrderingMattersToWhoeverReachesItWithThreads) {
  EXPECT_EQ(covers({record({{1, {}}}), record({{1, {}}}, 1), record({{2, {"main/1"}}})}, {0, kNone}),
            (std::vector<bool>{true, false, false}));
}

TEST(Selector, APairWithoutAnOldBlockIsCoveredByNobody) {
  EXPECT_EQ(covers({record({{1, {"main/1"}}, {2, {"main/2"}}})}, {0, 2}), (std::vector<bool>{false}));
}

}  // namespace
}  // namespace heddle::select
