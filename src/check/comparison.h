// Comparison: tests of the head, tried in turns within a budget, and what they show compared with what the
// same tests of the base show.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/project_build.h"
#include "check/record_keeper.h"
#include "check/trial.h"
#include "history/history.h"
#include "report/story.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

// A test of the head, tried.
struct CheckedTest {
  std::string name;
  uint64_t executions = 0;
  bool complete = false;          // under all schedules; else the budget was over, or there was trouble
  std::string trouble;            // why heddle could not see it to its end
  bool was_tried_before = false;  // by an earlier check of the same program, and found clean
  bool is_plain = false;          // executed once, without race detection
};

struct CheckFinding {
  std::vector<std::string> tests;  // that show it, the first one with `found`
  TrialFinding found;              // its status says whether it is new; unknown: the base was not tried
  // What there is to say of its execution, if that is more than how it ended.
  std::optional<FailureStory> story = {};
};

struct ComparisonResult {
  std::vector<CheckedTest> tests;  // by name
  std::vector<CheckFinding> findings;
  std::vector<std::string> not_reached;  // tests, for lack of time
  uint64_t executions = 0;
  uint64_t verifying_executions = 0;  // of what was suspected
  uint64_t suppressed = 0;
  // CPU time of heddle and all that it had started, when the first new finding was there.
  std::optional<double> cpu_seconds_to_first_finding;
  std::string not_kept;  // why the next check cannot go on from here; empty if it can
};

// To be called when findings have been added.
void note_first_finding(ComparisonResult* result);

// How what a build's tests did is kept.
RecordKeeper::Build kept_as(const ProjectBuild& build);

class Comparison {
 public:
  struct Options {
    TrialOptions trial;
    std::chrono::milliseconds budget{};
    bool again = false;  // also what an earlier check has found clean
    // Tests in the order given, each once before any gets more schedules. Else those come first that no check
    // has come to yet, and each is finished before the next begins, as long as there is time.
    bool in_order = false;
    bool has_base = true;      // false: nobody can say whether what is found is new
    RenamedFunctions renamed;  // from base to head
  };
  struct Chosen {
    const SuiteTest* test = nullptr;
    const SuiteTest* base_test = nullptr;  // none: all that it shows is new
    bool is_plain = false;                 // once, without race detection
  };
  // A test, its number, of how many, and how many of its schedules are executed.
  using Listener = std::function<void(const std::string&, size_t, size_t, uint64_t)>;

  // All but the options and the listener must outlive this.
  Comparison(const ProjectBuild& base, const ProjectBuild& head, History& history, Suppressions& suppressions,
             Symbolizer& symbolizer, Options options, Listener listener);

  // Each test gets an equal share of the time that is left. Fills `result` as far as it gets.
  Expected<void> run(const std::vector<Chosen>& tests, ComparisonResult* result);

 private:
  // A test on its way through the comparison.
  struct Item;

  std::vector<Item> items_of(const std::vector<Chosen>& tests);
  Expected<void> try_once(std::vector<Item>* items, ComparisonResult* result);
  Expected<void> try_in_turns(std::vector<Item>* items, ComparisonResult* result);
  Expected<void> try_to(Item* item, uint64_t seeds, size_t left_in_round, size_t total,
                        ComparisonResult* result);
  Expected<void> finish(Item* item, ComparisonResult* result);
  bool is_settled(const Trial& trial) const;
  Expected<std::vector<std::string>> known_in_base(const Item& item, const Trial& head,
                                                   ComparisonResult* result);
  void settle(ComparisonResult* result) const;
  void keep(RecordKeeper& keeper, const SuiteTest& test, const Trial& trial, ComparisonResult* result);

  const Options options_;
  const bool is_same_content_;
  Suppressions& suppressions_;
  Symbolizer& symbolizer_;
  const Listener listener_;
  RecordKeeper base_keeper_;
  RecordKeeper head_keeper_;
  std::chrono::steady_clock::time_point deadline_;
  std::set<std::string> races_of_base_;          // by sameness, whatever the test
  std::set<std::string> examples_;               // likewise: an execution of the head that shows it is kept
  std::map<std::string, uint32_t> not_in_base_;  // likewise: tests of the base that do not show it
};

}  // namespace heddle
