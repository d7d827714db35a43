#include <set>

#include <fmt/format.h>

#include "check/carried_records.h"
#include "check/stages/stage.h"
#include "check/stages/stages.h"
#include "check/suite_recording.h"
#include "report/text.h"

namespace heddle {
namespace {

class RecordStage final : public Stage {
 public:
  std::string name() const override { return "record"; }
  double weight() const override { return 3; }

  std::string idle(const CheckState& state) const override {
    if (!state.has_base()) return "the base does not build";
    if (!state.base_suite) return "the base has no tests";
    if (state.options.scope == CheckScope::kAll) return "all tests count, whatever they do";
    if (state.result.base_build.compile_commands.empty())
      return fmt::format("the build of {} leaves no compile_commands.json", state.result.base.name);
    if (!state.history.read_only_reason().empty()) return state.history.read_only_reason();
    return {};
  }

  // A test that there is no time for counts as one that matters.
  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    const Expected<std::set<std::string>> known = known_tests(state);
    if (!known) return tl::unexpected(known.error());
    report->reused = known->size();
    // The tests of other shards need no record here: which of them matter is for others to find out.
    std::set<std::string> skipped = *known;
    for (const SuiteTest& test : state.base_suite->tests)
      if (!state.options.shard.has(test.name)) skipped.insert(test.name);
    if (skipped.size() >= state.base_suite->tests.size()) return {};
    state.say(fmt::format("recording what the tests do on {}", state.result.base.name));
    const Expected<SuiteRecording> recorded = record_tests(
        state.project, kept_as(state.result.base_build), {.deadline = deadline, .known = skipped},
        state.history, state.suppressions, [&](size_t number, size_t of, const std::string& test) {
          if (state.listener.build)
            state.listener.build(fmt::format("recording test {} of {}: {}", number, of, test));
        });
    if (!recorded) return tl::unexpected(recorded.error());
    report->not_reached = recorded->not_reached;
    report->reused += recorded->up_to_date;
    report->own["recorded"] = recorded->tests.size() - recorded->up_to_date;
    state.result.executions += recorded->executions;
    return {};
  }

 private:
  // Tests of the base with a record, of this build or of one in which they do the same.
  static Expected<std::set<std::string>> known_tests(const CheckState& state) {
    const Revision& base = state.result.base_build.revision;
    Expected<std::vector<KnownTest>> known = state.history.records().load_all(base.content);
    if (!known) return tl::unexpected(known.error());
    carry_records(state.repository, base, *known);
    std::set<std::string> names;
    for (const KnownTest& test : *known)
      if (test.is_of_tree && state.base_suite->find(test.record.key.test) != nullptr)
        names.insert(test.record.key.test);
    return names;
  }
};

}  // namespace

std::unique_ptr<Stage> make_record_stage() {
  return std::make_unique<RecordStage>();
}

}  // namespace heddle
