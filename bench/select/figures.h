// Figures: what the tables say of one change of one subject.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "outcome.h"
#include "workbench.h"

namespace heddle::bench {

// A set of tests: how much it takes to execute them, and what they reveal.
struct MethodFigures {
  size_t tests = 0;
  double cpu_seconds = 0;
  size_t pairs = 0;       // impacted ones that it covers: the potential races
  size_t races = 0;       // regression races
  size_t racy_tests = 0;  // that reveal some
};

struct ApfdFigures {
  std::optional<double> heddle;
  std::optional<double> blocks;  // additional block coverage
  std::optional<double> random;  // the mean of some orders
};

struct MissedRace {
  Race race;
  std::vector<std::string> tests;  // that reveal it
};

// Those of `races` that no test of `selected` reveals.
std::vector<MissedRace> missed_races(const std::set<Race>& races, const TestOutcomes& outcomes,
                                     const std::set<std::string>& selected);

struct ChangeFigures {
  std::string subject;
  std::string change;
  bool is_main = true;
  MethodFigures all;
  MethodFigures classic;
  MethodFigures heddle;
  MethodFigures without_threads;  // the paper's ablation
  size_t function_pairs = 0;      // in which the regression races are
  ApfdFigures selected;           // of the tests that heddle selects
  ApfdFigures suite;              // of all tests
  std::vector<MissedRace> missed;
  double analysis_cpu_seconds = 0;  // with a warm cache
  double testing_cpu_seconds = 0;   // all tests under as many schedules as `heddle test` tries; from a sample
  std::vector<std::string> troubles;

  std::string name() const { return is_main ? subject : subject + " " + change; }
  double share() const;  // of the tests that heddle selects, in percent
  // Of analysis, in percent, in the time of: all tests as `heddle test` executes them; all tests under the
  // schedules of this benchmark; those of these that are selected.
  double analysis_share() const;
  double analysis_share_of_few_schedules() const;
  double analysis_share_of_selected() const;
};

// What the tests of the changed version show.
Expected<TestOutcomes> execute_change(Workbench& bench, const std::string& change);

Expected<ChangeFigures> measure_change(Workbench& bench, const std::string& change, uint64_t random_orders);

}  // namespace heddle::bench
