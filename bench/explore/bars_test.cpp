#include "bars.h"

#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

Attempt found(uint64_t executions, double seconds = 1) {
  return {.end = AttemptEnd::kFound, .executions = executions, .cpu_seconds = seconds};
}
Attempt missed(uint64_t executions) {
  return {.end = AttemptEnd::kLimit, .executions = executions, .cpu_seconds = 1};
}

ResultRow row(const std::string& group, const std::string& subject, const std::string& word,
              std::map<std::string, Attempt> attempts) {
  return {{.subject = subject, .group = group, .word = word}, std::move(attempts)};
}

Verdict verdict(const Results& results, const std::string& beginning) {
  for (const Bar& bar : judge(results)) {
    if (bar.demand.starts_with(beginning)) return bar.verdict;
  }
  ADD_FAILURE() << "there is no bar '" << beginning << "'";
  return Verdict::kNotMeasured;
}

TEST(Bars, AreNotMeasuredWithoutTheirStrategies) {
  const Results results{.first_failures = {row("paper", "pool", "", {{"random", found(3)}})}};
  for (const Bar& bar : judge(results)) EXPECT_EQ(bar.verdict, Verdict::kNotMeasured) << bar.demand;
}

TEST(Bars, HapsetMayMissWhatIsNotThePapers) {
  Results results{.first_failures = {row("paper", "pool", "", {{"hapset", found(3)}}),
                                     row("hard", "setters", "10", {{"hapset", missed(9)}})}};
  EXPECT_EQ(verdict(results, "hapset finds"), Verdict::kMet);
  results.first_failures.push_back(row("extracted", "log", "", {{"hapset", missed(9)}}));
  EXPECT_EQ(verdict(results, "hapset finds"), Verdict::kNotMet);
}

TEST(Bars, HapsetIsComparedOnlyWhereOthersNeedMany) {
  const auto with = [](const Attempt& hapset, const Attempt& dpor, const Attempt& pcb) {
    const std::map<std::string, Attempt> attempts{{"hapset", hapset}, {"dpor", dpor}, {"pcb:2", pcb}};
    return verdict({.first_failures = {row("paper", "pool", "", attempts)}}, "hapset needs fewer");
  };
  EXPECT_EQ(with(found(15), found(20), found(9)), Verdict::kMet);
  EXPECT_EQ(with(found(15), missed(100), found(21)), Verdict::kMet);
  EXPECT_EQ(with(found(21), found(21), found(9)), Verdict::kNotMet);
  EXPECT_EQ(with(missed(50), missed(100), found(9)), Verdict::kNotMet);
}

TEST(Bars, GrowthIsThatOfThePowerLawThatFitsBest) {
  const auto grows = [](const Attempt& two, const Attempt& four, const Attempt& eight) {
    Results results;
    results.scaling = {row("paper", "pool", "2", {{"rf", two}}), row("paper", "pool", "4", {{"rf", four}}),
                       row("paper", "pool", "8", {{"rf", eight}})};
    return verdict(results, "executions of rf");
  };
  EXPECT_EQ(grows(found(10), found(20), found(40)), Verdict::kMet);
  EXPECT_EQ(grows(found(10), found(30), found(20)), Verdict::kMet);
  EXPECT_EQ(grows(found(10), found(30), found(90)), Verdict::kNotMet);
  EXPECT_EQ(grows(found(10), found(20), missed(40)), Verdict::kNotMet);
}

TEST(Bars, HundredSettersMustFallQuickly) {
  const auto with = [](const Attempt& attempt) {
    return verdict({.scaling = {row("hard", "setters", "100", {{"auto", attempt}})}}, "100 setters");
  };
  EXPECT_EQ(with(found(50)), Verdict::kMet);
  EXPECT_EQ(with(found(51)), Verdict::kNotMet);
  EXPECT_EQ(with(missed(10)), Verdict::kNotMet);
}

TEST(Bars, TheSlowestStrategyCountsForTheRate) {
  const auto with = [](double fast, double slow) {
    const Attempt shorter{.end = AttemptEnd::kOver, .executions = 10, .cpu_seconds = 1};
    return verdict({.rates = {row("extracted", "log", "",
                                  {{"dfs", {.executions = 6000, .cpu_seconds = fast}},
                                   {"rf", {.executions = 6000, .cpu_seconds = slow}},
                                   {"hapset", shorter}})}},
                   "at least 3,000");
  };
  EXPECT_EQ(with(1, 2), Verdict::kMet);
  EXPECT_EQ(with(1, 2.1), Verdict::kNotMet);
}

}  // namespace
}  // namespace heddle::bench
