// The pipeline behind `heddle check` and `heddle test`: base and head, built, and looked at in stages
// (stages/stage.h), each within its share of the time.
//
//   revisions ─▶ builds ─▶ tests of both ─▶ stages: record, select, replay, tests, impact, …
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/project_build.h"
#include "change/revision.h"
#include "check/comparison.h"
#include "check/shard.h"
#include "check/stages/stage_report.h"
#include "history/history.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

class Stage;
struct CheckState;

// Which tests are tried.
enum class CheckScope : uint8_t {
  kAll,       // without asking which matter
  kSelected,  // those that matter for the change
  kReaching,  // and those that come to changed code otherwise, once, for ordinary faults
  kOrdered,   // all, those that matter first
};

struct CheckOptions {
  std::filesystem::path folder = ".";  // somewhere in the project
  std::string base;
  std::string head;  // empty: the working tree as it is
  std::filesystem::path store;
  std::filesystem::path compilers;            // folder with heddle-cc and heddle-c++
  std::filesystem::path failures;             // folder with schedules of findings
  std::chrono::milliseconds budget{600'000};  // for all stages together; builds are not part of it
  uint64_t seeds = 20;
  bool again = false;     // also what an earlier check has found clean
  Shard shard;            // which tests, classes and programs are looked into
  bool verifies = false;  // executes what detectors suspect, too
  CheckScope scope = CheckScope::kReaching;
  uint64_t order_seed = 1;  // breaks ties of the order
};

// How the tests were chosen.
struct CheckSelection {
  bool was_made = false;         // else all tests were tried, in no particular order
  std::string why_not;           // empty if it was not asked for
  bool is_empty_change = false;  // nothing that is compiled means anything else
  size_t of = 0;                 // tests there are
  size_t selected = 0;
  size_t reaching = 0;  // not selected, and executed once for ordinary faults
  std::vector<std::string> assumptions;
  std::vector<std::string> order;                           // all tests
  std::map<std::string, std::vector<std::string>> reasons;  // why, by test
  std::set<std::string> uncovered_functions;  // with accesses that the change impacts and no test covers
};

struct CheckResult : ComparisonResult {
  Revision base;
  Revision head;
  ProjectBuild base_build;  // its revision only, if it does not build
  ProjectBuild head_build;
  std::string base_failure;  // why the base does not build; then what is found is neither new nor known
  CheckSelection selection;
  std::vector<UnusableTest> unusable;
  std::vector<std::string> gone;     // tests of the base that the head has not
  std::vector<StageReport> stages;   // in order
  double cpu_seconds_of_builds = 0;  // of both, and of all before
  bool interrupted = false;          // by the user

  bool complete() const;
  size_t count(FindingStatus status) const;
};

struct CheckListener {
  std::function<void(const std::string&)> step;   // something long begins
  std::function<void(const std::string&)> build;  // what the build says now; how far a stage is
  Comparison::Listener test;
};

class Check {
 public:
  using Stages = std::vector<std::unique_ptr<Stage>>;
  // The history must outlive this.
  Check(CheckOptions options, Stages stages, Suppressions suppressions, History& history,
        CheckListener listener);
  ~Check();

  // Fills `result` as far as it gets. If the user interrupts it, what has been found by then is there.
  Expected<void> run(CheckResult* result);

 private:
  Expected<void> build_both(CheckResult* result);
  Expected<CheckState> state_of(CheckResult* result);
  Expected<void> run_stages(CheckState& state);
  Expected<void> run_stage(Stage& stage, double part, CheckState& state);

  const CheckOptions options_;
  const Stages stages_;
  Suppressions suppressions_;
  History& history_;
  const CheckListener listener_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::optional<Repository> repository_;
  Project project_;
  std::chrono::steady_clock::time_point deadline_;  // of all stages
};

}  // namespace heddle
