// What executing a test under race detection shows: the ground truth of the tables.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "check/source_names.h"
#include "execute/execution.h"
#include "report/finding.h"
#include "report/suppressions.h"
#include "suite/test_suite.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle::bench {

struct RaceSite {
  std::string file;
  uint32_t line = 0;
  std::string function;

  auto operator<=>(const RaceSite&) const = default;
};

// Two places whose accesses are not ordered; the smaller one first. Uses of memory that another thread has
// freed are races, too.
struct Race {
  RaceSite first;
  RaceSite second;

  // The same in another version, where lines are others.
  std::string functions() const;
  auto operator<=>(const Race&) const = default;
};
std::string to_text(const Race& race);

struct TestOutcome {
  std::string test;
  std::set<Race> races;
  std::set<std::string> failures;  // of other kinds: "deadlock in Queue::pop"
  double cpu_seconds = 0;          // of all of it: start, learning, executions, detection, report
  uint64_t executions = 0;         // that count, without those for learning
  std::string trouble;             // why heddle could not see it to its end
  // Executed under any of the schedules by a thread that was not alone, by file.
  std::map<std::string, std::set<uint32_t>> lines;
};
using TestOutcomes = std::map<std::string, TestOutcome>;  // by test

struct TrialPlan {
  uint64_t seeds = 3;       // schedules beside the default one
  bool with_lines = false;  // remember which lines threads execute while others are there
};

// Executes tests of one build.
class TestExecutor {
 public:
  TestExecutor(const std::filesystem::path& source, const std::filesystem::path& build, TrialPlan plan);

  // Whatever the test does is in the outcome.
  TestOutcome run(const SuiteTest& test);

 private:
  Expected<void> execute(const SuiteTest& test, TestOutcome& outcome);
  void look_at(const Execution& execution, TestOutcome& outcome);
  RaceSite site_of(const FindingSite& site);

  TrialPlan plan_;
  SourceNames names_;
  Suppressions suppressions_ = Suppressions::built_in();
  std::unique_ptr<Symbolizer> symbolizer_ = make_symbolizer();
};

}  // namespace heddle::bench
