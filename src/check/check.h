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
  std::chrono::milliseconds budget{300'000};  // for the trials
  uint64_t seeds = 20;
  bool again = false;  // also what an earlier check has found clean
};

// A test of the head, tried.
struct CheckedTest {
  std::string name;
  Trial head;
  bool in_base = false;
  bool base_was_tried = false;
  bool was_tried_before = false;  // by an earlier check of the same program, and found clean
};

struct CheckFinding {
  std::string test;
  TrialFinding found;  // its status says whether it is new
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
  std::string not_kept;  // why the next check cannot go on from here; empty if it can

  bool complete() const;
};

class Check {
 public:
  struct Listener {
    std::function<void(const std::string&)> step;                  // something long begins
    std::function<void(size_t, size_t, const std::string&)> test;  // number, of how many, name
  };
  // The history must outlive this.
  Check(CheckOptions options, Suppressions suppressions, History& history, Listener listener);

  Expected<CheckResult> run();

 private:
  Expected<void> build_both(const Repository& repository, const Project& project, CheckResult* result);
  Expected<void> try_tests(const Project& project, CheckResult* result);
  Expected<void> compare(const SuiteTest* base_test, CheckedTest* tested, const TrialOptions& options,
                         CheckResult* result);
  // What an earlier check has come to.
  std::optional<TrialMemory> known(RecordKeeper& keeper, const SuiteTest& test, const TrialOptions& options);
  // Tries and keeps.
  Expected<Trial> try_test_of(RecordKeeper& keeper, const SuiteTest& test, TrialOptions options,
                              CheckResult* result);

  CheckOptions options_;
  Suppressions suppressions_;
  History& history_;
  Listener listener_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::optional<RecordKeeper> base_keeper_;
  std::optional<RecordKeeper> head_keeper_;
};

}  // namespace heddle
