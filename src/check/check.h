// The pipeline behind `heddle check`: base and head, built, tested under race detection, and compared.
//
//   revisions ─▶ builds ─▶ tests of both ─▶ trials of the head ─▶ trials of the base, where the head found
//   something
//
// The engines that choose tests and schedules for a change plug in between tests and trials.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/project_build.h"
#include "change/revision.h"
#include "check/record_keeper.h"
#include "check/trial.h"
#include "history/history.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

struct CheckOptions {
  std::filesystem::path folder = ".";  // somewhere in the project
  std::string base;
  std::string head;  // empty: the working tree as it is
  std::filesystem::path store;
  std::filesystem::path compilers;            // folder with heddle-cc and heddle-c++
  std::chrono::milliseconds budget{300'000};  // for the trials of the head
  uint64_t seeds = 20;
  bool again = false;  // also what an earlier check has found clean
};

// A test of the head, tried.
struct CheckedTest {
  std::string name;
  uint64_t executions = 0;
  bool complete = false;          // under all schedules; else the budget was over, or there was trouble
  std::string trouble;            // why heddle could not see it to its end
  bool was_tried_before = false;  // by an earlier check of the same program, and found clean
};

struct CheckFinding {
  std::vector<std::string> tests;  // that show it, the first one with `found`
  TrialFinding found;              // its status says whether it is new; unknown: the base was not tried
};

struct CheckResult {
  Revision base;
  Revision head;
  ProjectBuild base_build;
  ProjectBuild head_build;
  std::vector<CheckedTest> tests;
  std::vector<CheckFinding> findings;
  std::vector<std::string> not_reached;  // tests, for lack of time
  std::vector<UnusableTest> unusable;
  uint64_t executions = 0;
  uint64_t suppressed = 0;
  bool interrupted = false;  // by the user
  std::string not_kept;      // why the next check cannot go on from here; empty if it can

  bool complete() const;
  size_t count(FindingStatus status) const;
};

class Check {
 public:
  struct Listener {
    std::function<void(const std::string&)> step;   // something long begins
    std::function<void(const std::string&)> build;  // what the build says now
    // A test, its number, of how many, and how many of its schedules are executed.
    std::function<void(const std::string&, size_t, size_t, uint64_t)> test;
  };
  // The history must outlive this.
  Check(CheckOptions options, Suppressions suppressions, History& history, Listener listener);

  // Fills `result` as far as it gets. If the user interrupts it, what has been found by then is there.
  Expected<void> run(CheckResult* result);

 private:
  // A test on its way through the check.
  struct Item;

  Expected<void> build_both(const Repository& repository, const Project& project, CheckResult* result);
  Expected<void> try_tests(const Project& project, CheckResult* result);
  std::vector<Item> items_of(const TestSuite& suite, const TestSuite* base, const TrialOptions& options);
  Expected<void> try_in_turns(std::vector<Item>* items, CheckResult* result);
  Expected<void> finish(Item* item, CheckResult* result);
  Expected<std::vector<std::string>> known_in_base(const Item& item, CheckResult* result);
  void keep(RecordKeeper& keeper, const SuiteTest& test, const Trial& trial, const TrialOptions& options,
            CheckResult* result);

  CheckOptions options_;
  TrialOptions trial_options_;
  Suppressions suppressions_;
  History& history_;
  Listener listener_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::optional<RecordKeeper> base_keeper_;
  std::optional<RecordKeeper> head_keeper_;
  RenamedFunctions renamed_;  // from base to head
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace heddle
