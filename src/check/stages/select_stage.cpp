#include <algorithm>

#include <fmt/format.h>

#include "check/carried_records.h"
#include "check/stages/stage.h"
#include "check/stages/stages.h"

namespace heddle {
namespace {

class SelectStage final : public Stage {
 public:
  std::string name() const override { return "select"; }
  double weight() const override { return 0; }
  bool is_essential() const override { return true; }
  std::string idle(const CheckState&) const override { return {}; }

  // If the tests that matter cannot be told, all do.
  Expected<void> run(CheckState& state, Deadline, StageReport*) override {
    CheckSelection& selection = state.result.selection;
    if (state.options.scope != CheckScope::kAll) {
      selection.why_not = why_not(state);
      if (selection.why_not.empty()) select(state);
    }
    choose(state);
    return {};
  }

 private:
  // Whether something is known of what the tests do on the base. What is known of the same programs, built of
  // other sources, becomes known of these.
  static bool is_recorded(const CheckState& state) {
    const ProjectBuild& build = state.result.base_build;
    RecordKeeper keeper(state.history, kept_as(build), state.symbolizer);
    bool found = false;
    for (const SuiteTest& test : state.base_suite->tests)
      if (keeper.find(test).value_or(std::nullopt)) found = true;
    if (found) return true;
    Expected<std::vector<KnownTest>> known = state.history.records().load_all(build.revision.content);
    return known && carry_records(state.repository, build.revision, *known) > 0;
  }

  static std::string why_not(const CheckState& state) {
    const CheckResult& result = state.result;
    if (!state.has_base()) return fmt::format("{} does not build", result.base.name);
    // Without, select would still tell that nothing has changed, but not whether flags have.
    if (state.base_suite && is_recorded(state)) {
      for (const ProjectBuild* build : {&result.base_build, &result.head_build})
        if (build->compile_commands.empty())
          return fmt::format("the build of {} leaves no compile_commands.json", build->revision.name);
      return {};
    }
    return fmt::format(
        "the history does not know what the tests do on {}; `heddle record --head {}` records it",
        result.base.name, result.base.commit.substr(0, 12));
  }

  static void select(CheckState& state) {
    CheckSelection& selection = state.result.selection;
    state.say("looking for the tests that matter for the change");
    Expected<TestSelection> selected = select_for_change(
        state.repository, state.project, {state.result.base, state.result.head}, state.history,
        {.store = state.options.store,
         .compilers = state.options.compilers,
         .step = state.listener.build,
         .select = {.seed = state.options.order_seed}});
    if (!selected) {
      selection.why_not = selected.error().message;
      return;
    }
    selection.was_made = true;
    selection.is_empty_change = selected->is_empty_change;
    selection.selected = selected->selection.selected;
    selection.assumptions = selected->selection.assumptions;
    selection.uncovered_functions = selected->selection.uncovered_functions;
    for (const select::RankedTest& test : selected->selection.tests)
      selection.reasons[test.name] = test.reasons;
    state.selected = std::move(*selected);
  }

  static void choose(CheckState& state) {
    CheckSelection& selection = state.result.selection;
    const auto add = [&](const SuiteTest* test, bool is_plain) {
      if (test == nullptr || !state.options.shard.has(test->name)) return;
      state.tests.push_back({.test = test,
                             .base_test = state.base_suite ? state.base_suite->find_same(*test) : nullptr,
                             .is_plain = is_plain});
    };
    if (!state.selected) {
      for (const SuiteTest& test : state.head_suite.tests) {
        selection.order.push_back(test.name);
        add(&test, /*is_plain=*/false);
      }
      selection.selected = selection.of;
      return;
    }
    for (const select::RankedTest& test : state.selected->selection.tests) {
      selection.order.push_back(test.name);
      if (test.is_selected() || state.options.scope == CheckScope::kOrdered)
        add(state.head_suite.find(test.name), /*is_plain=*/false);
    }
    if (state.options.scope != CheckScope::kReaching) return;
    selection.reaching = state.selected->reach_change.size();
    for (const std::string& test : state.selected->reach_change)
      add(state.head_suite.find(test), /*is_plain=*/true);
  }
};

}  // namespace

std::unique_ptr<Stage> make_select_stage() {
  return std::make_unique<SelectStage>();
}

}  // namespace heddle
