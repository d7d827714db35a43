// Stage: one way in which a check looks at a change, once both builds are there (docs/check.md).
//
// Stages know nothing of each other: what one finds out for those after it is in the CheckState. The loop
// over them is Check::run_stages().
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "change/project.h"
#include "check/change_impact.h"
#include "check/check.h"
#include "check/stages/stage_report.h"
#include "check/test_selection.h"
#include "explore/preferred_lines.h"
#include "history/history.h"
#include "report/suppressions.h"
#include "suite/test_suite.h"

namespace heddle {

// What is known of the change so far. All that is referred to outlives the stages.
struct CheckState {
  const CheckOptions& options;
  const CheckListener& listener;
  const Repository& repository;
  const Project& project;
  History& history;
  Suppressions& suppressions;
  Symbolizer& symbolizer;
  CheckResult& result;                  // with the builds
  std::optional<TestSuite> base_suite;  // none: the base has no tests, or does not build
  TestSuite head_suite;
  std::optional<TestSelection> selected;
  std::vector<Comparison::Chosen> tests;           // of the head, in order; empty until they are chosen
  std::map<std::string, PreferredLines> impacted;  // by test: where its threads meet in new ways

  // Both builds with what lies between them, for executing tests on both. Made when it is first asked for.
  Expected<const ChangeImpact*> change_impact();
  std::optional<ChangeImpact> change;

  bool has_base() const { return result.base_failure.empty(); }
  void say(const std::string& step) const {
    if (listener.step) listener.step(step);
  }
};

class Stage {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  virtual ~Stage() = default;

  // "impact"
  virtual std::string name() const = 0;
  // Of the time that is left it gets this part, where the weights of the stages that are still to come add up
  // to the whole. 0: it takes no time of the budget, and has no end; it does what is needed to know what to
  // do.
  virtual double weight() const = 0;
  // Why there is nothing for it to do, as the state is now; empty if there is.
  virtual std::string idle(const CheckState& state) const = 0;
  // Without it, there is no check.
  virtual bool is_essential() const { return false; }
  // Adds what it finds to the state's result. An error ends this stage alone, unless it is essential.
  virtual Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) = 0;
};

}  // namespace heddle
