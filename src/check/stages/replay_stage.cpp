#include <filesystem>

#include <fmt/format.h>

#include "check/compared_test.h"
#include "check/regression_filter.h"
#include "check/stages/compared_tests.h"
#include "check/stages/finding_collector.h"
#include "check/stages/stages.h"
#include "check/stored_replay.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

// What failed before costs least to try, and what was mended breaks again most easily.
class ReplayStage final : public Stage {
 public:
  std::string name() const override { return "replay"; }
  double weight() const override { return 1; }

  std::string idle(const CheckState& state) const override {
    if (std::string why = why_not_compared(state); !why.empty()) return why;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(state.options.failures, failed))
      if (entry.path().extension() == ".schedule") return {};
    return "no schedule is kept that made a test fail";
  }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    const Expected<const ChangeImpact*> change = state.change_impact();
    if (!change) return tl::unexpected(change.error());
    size_t replayed = 0;
    for (const Comparison::Chosen* chosen : tests_that_matter(state)) {
      const std::vector<StoredSchedule> stored =
          stored_schedules(state.options.failures, chosen->test->command);
      if (stored.empty()) continue;
      if (std::chrono::steady_clock::now() >= deadline || was_interrupted()) {
        report->not_reached.push_back(chosen->test->name);
        continue;
      }
      if (state.listener.build)
        state.listener.build(fmt::format("replaying failures of {}", chosen->test->name));
      // One test that cannot be replayed keeps no other from it.
      const Expected<size_t> done = replay(state, **change, *chosen, stored, deadline);
      if (done)
        replayed += *done;
      else
        report->notes.push_back(fmt::format("{}: {}", chosen->test->name, done.error().message));
    }
    report->own["replayed"] = replayed;
    return {};
  }

 private:
  static Expected<size_t> replay(CheckState& state, const ChangeImpact& change,
                                 const Comparison::Chosen& chosen, const std::vector<StoredSchedule>& stored,
                                 Deadline deadline) {
    const Expected<std::unique_ptr<ComparedTest>> test = ComparedTest::start(
        change, {.base = chosen.base_test, .head = chosen.test}, /*schedules=*/1, state.symbolizer);
    if (!test) return tl::unexpected(test.error());
    const StatementsOfBoth statements = change.statements();
    size_t replayed = 0;
    for (const StoredSchedule& one : stored) {
      if (std::chrono::steady_clock::now() >= deadline || was_interrupted()) break;
      const Expected<StoredReplay> replay =
          replay_stored(one.schedule, change, (*test)->test(), (*test)->head_server(), state.symbolizer);
      if (!replay) return tl::unexpected(replay.error());
      ++replayed;
      state.result.executions += replay->executions;
      FindingCollector collector(state, {chosen.test->name});
      RegressionFilter filter(
          collector, statements.head, [&](const FindingOfBoth& finding) -> Expected<bool> {
            if (replay->in_base && finding_of_both(*replay->in_base, statements.base) == finding) return true;
            return (*test)->base_has(finding, kUnits);
          });
      if (const Expected<void> told = tell(*replay, one, filter); !told) return tl::unexpected(told.error());
      collector.add_known(filter.known());
    }
    state.result.executions += (*test)->executions();
    return replayed;
  }

  static Expected<void> tell(const StoredReplay& replay, const StoredSchedule& stored,
                             FindingListener& listener) {
    const Execution& execution = replay.execution;
    using trace::OutcomeKind;
    const OutcomeKind kind = execution.outcome.kind;
    // How a test that only ends with an exit code compares with the base, its words decide (Comparison).
    if (!execution.failed() || kind == OutcomeKind::kKilled || kind == OutcomeKind::kInternal ||
        kind == OutcomeKind::kExitCode)
      return {};
    ReportContext context(execution.trace, listener.symbolizer(), listener.directory());
    std::optional<FailureStory> story = tell_failure(context);
    if (!story || !listener.news(context, *story, execution.outcome.kind)) return {};
    return listener.tell(context, std::move(*story),
                         {.kind = execution.outcome.kind,
                          .confirmation = Confirmation::kExecuted,
                          .notes = {fmt::format("a schedule that made the test fail before ({}) does so here",
                                                stored.file.filename().string())},
                          .schedule = &replay.schedule,
                          .executions = replay.executions});
  }
};

}  // namespace

std::unique_ptr<Stage> make_replay_stage() {
  return std::make_unique<ReplayStage>();
}

}  // namespace heddle
