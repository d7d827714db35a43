#include <algorithm>

#include "change/source_change.h"
#include "check/stages/stage.h"
#include "check/stages/stages.h"

namespace heddle {
namespace {

// "Account::deposit" of "Account::deposit(int) const".
std::string name_of(const FunctionId& function) {
  return function.signature.substr(0, function.signature.find('('));
}

// What the base calls otherwise. If the sources cannot be compared, nothing.
RenamedFunctions renamed_functions(const CheckState& state) {
  RenamedFunctions renamed;
  if (!state.has_base()) return renamed;
  const Expected<SourceChange> change =
      state.selected ? state.selected->change
                     : compare_sources(state.repository, state.result.base, state.result.head);
  if (!change) return renamed;
  for (const FunctionChange& function : change->statements.functions()) {
    if (!function.old_function || !function.new_function) continue;
    const std::string before = name_of(*function.old_function);
    const std::string after = name_of(*function.new_function);
    if (before != after) renamed[before] = after;
  }
  return renamed;
}

class TestsStage final : public Stage {
 public:
  std::string name() const override { return "tests"; }
  double weight() const override { return 6; }
  bool is_essential() const override { return true; }
  std::string idle(const CheckState&) const override { return {}; }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    const CheckOptions& options = state.options;
    const auto now = std::chrono::steady_clock::now();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(std::max(deadline, now) - now);
    Comparison comparison(state.result.base_build, state.result.head_build, state.history, state.suppressions,
                          state.symbolizer,
                          {.trial = {.seeds = options.seeds,
                                     .verifies = options.verifies,
                                     .test_timeout = state.project.test_timeout},
                           .budget = left,
                           .again = options.again,
                           .in_order = state.selected.has_value() || options.verifies,
                           .has_base = state.has_base(),
                           .renamed = renamed_functions(state)},
                          state.listener.test);
    const Expected<void> compared = comparison.run(state.tests, &state.result);
    for (const CheckedTest& test : state.result.tests) report->reused += test.was_tried_before ? 1 : 0;
    return compared;
  }
};

}  // namespace

std::unique_ptr<Stage> make_tests_stage() {
  return std::make_unique<TestsStage>();
}

}  // namespace heddle
