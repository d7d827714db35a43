// The pipeline behind `heddle check` and `heddle test`: base and head, built, the tests that matter chosen,
// tried under race detection, and compared.
//
//   revisions ─▶ builds ─▶ tests of both ─▶ selection ─▶ trials of the head ─▶ trials of the base, where the
//   head found something (comparison.h)
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/project_build.h"
#include "change/revision.h"
#include "check/comparison.h"
#include "check/test_selection.h"
#include "history/history.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

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
  std::chrono::milliseconds budget{300'000};  // for the trials of the head
  uint64_t seeds = 20;
  bool again = false;     // also what an earlier check has found clean
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
  std::vector<std::string> order;             // all tests
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
  std::chrono::milliseconds left{};  // of the budget
  bool interrupted = false;          // by the user

  bool complete() const;
  size_t count(FindingStatus status) const;
};

class Check {
 public:
  struct Listener {
    std::function<void(const std::string&)> step;   // something long begins
    std::function<void(const std::string&)> build;  // what the build says now
    Comparison::Listener test;
  };
  // The history must outlive this.
  Check(CheckOptions options, Suppressions suppressions, History& history, Listener listener);

  // Fills `result` as far as it gets. If the user interrupts it, what has been found by then is there.
  Expected<void> run(CheckResult* result);

 private:
  Expected<void> build_both(CheckResult* result);
  Expected<void> try_tests(CheckResult* result);
  Expected<TestSuite> tests_of_base(const CheckResult& result) const;
  bool is_recorded(const TestSuite& suite, const ProjectBuild& build);
  void select(const TestSuite* base, CheckResult* result);
  std::vector<Comparison::Chosen> choose(const TestSuite& head, const TestSuite* base,
                                         CheckResult* result) const;
  RenamedFunctions renamed_functions(const CheckResult& result) const;

  const CheckOptions options_;
  Suppressions suppressions_;
  History& history_;
  const Listener listener_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::optional<Repository> repository_;
  Project project_;
  std::optional<TestSelection> selected_;
};

}  // namespace heddle
