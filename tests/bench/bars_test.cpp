#include "bars.h"

#include <gtest/gtest.h>

#include "mutants.h"

namespace heddle::bench {
namespace {

// One that meets all bars.
ChangeFigures good() {
  ChangeFigures row;
  row.subject = "map";
  row.all = {.tests = 100, .cpu_seconds = 40, .pairs = 9, .races = 4};
  row.heddle = {.tests = 15, .cpu_seconds = 30, .pairs = 9, .races = 4};
  row.selected = {.heddle = 90, .blocks = 95, .random = 90};
  row.suite = {.heddle = 94, .blocks = 94, .random = 50};
  row.analysis_cpu_seconds = 2;
  row.testing_cpu_seconds = 200;
  return row;
}

std::string verdicts(const std::vector<ChangeFigures>& rows) {
  std::string text;
  for (const Bar& bar : judge(rows)) text += bar.verdict == Verdict::kMet ? '+' : '-';
  return text;
}

TEST(SelectBars, AreMetToTheLimit) {
  EXPECT_EQ(verdicts({good()}), "+++++++");
  EXPECT_TRUE(judge(std::vector<ChangeFigures>()).empty());
}

TEST(SelectBars, EachIsMissedByItself) {
  const auto with = [](const auto& spoil) {
    ChangeFigures row = good();
    spoil(row);
    return verdicts({row});
  };
  EXPECT_EQ(with([](ChangeFigures& row) { row.heddle.races = 3; }), "-++++++");
  EXPECT_EQ(with([](ChangeFigures& row) { row.heddle.tests = 16; }), "+-+++++");
  EXPECT_EQ(with([](ChangeFigures& row) { row.suite = {.heddle = 93, .blocks = 93, .random = 1}; }),
            "++-++++");
  EXPECT_EQ(with([](ChangeFigures& row) { row.suite.blocks = 95; }), "+++-+++");
  EXPECT_EQ(with([](ChangeFigures& row) { row.selected.random = 91; }), "++++-++");
  EXPECT_EQ(with([](ChangeFigures& row) {
              row.analysis_cpu_seconds = 2.5;
              row.testing_cpu_seconds = 250;
            }),
            "+++++-+");
  EXPECT_EQ(with([](ChangeFigures& row) { row.testing_cpu_seconds = 199; }), "++++++-");
}

TEST(SelectBars, NoMutantMayHideARace) {
  MutantFigures mutant;
  mutant.compiles = true;
  mutant.races = 2;
  EXPECT_EQ(judge({mutant}).verdict, Verdict::kMet);
  mutant.missed.push_back({});
  EXPECT_EQ(judge({mutant}).verdict, Verdict::kNotMet);
  EXPECT_EQ(judge(std::vector<MutantFigures>()).verdict, Verdict::kNotMeasured);
}

}  // namespace
}  // namespace heddle::bench
