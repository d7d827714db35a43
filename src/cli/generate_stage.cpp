#include "cli/generate_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "change/source_change.h"
#include "check/stages/stage_memory.h"
#include "cli/changed_classes_run.h"
#include "report/text.h"

namespace heddle {
namespace {

class GenerateStage final : public Stage {
 public:
  explicit GenerateStage(Progress& progress) : progress_(progress) {}

  std::string name() const override { return "generate"; }
  double weight() const override { return 4; }

  std::string idle(const CheckState& state) const override {
    const CheckResult& result = state.result;
    if (!state.has_base()) return "the base does not build";
    if (result.selection.is_empty_change) return "nothing that is compiled means anything else";
    if (result.head_build.compile_commands.empty())
      return fmt::format("the build of {} leaves no compile_commands.json", result.head.name);
    return {};
  }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    const CheckResult& result = state.result;
    const Expected<SourceChange> change = compare_sources(state.repository, result.base, result.head);
    if (!change) return tl::unexpected(change.error());
    Expected<generate::TestFolder> output =
        generate::TestFolder::open(state.options.store / "generated", /*replaces=*/true);
    if (!output) return tl::unexpected(output.error());
    AnalysisReport told(state.suppressions, (state.options.failures / "").string(),
                        {.directory = result.head_build.source.string()});
    told.tell_instead([&](ReportContext& context, const FailureStory& story, const Finding& finding) {
      add(context, story, finding, state);
    });
    StageMemory memory(state, this->name(), state.options.order_seed);
    size_t before = 0;  // findings, of other classes
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    ChangedClassesRun generating(
        result.base_build, result.head_build, *output, told,
        {.store = state.options.store,
         .budget = std::max(left, std::chrono::milliseconds(0)),
         .compiler = state.project.cxx_compiler,
         .seed = state.options.order_seed,
         .step = [&](const std::string& text) { progress_.update([&] { return text; }); },
         .is_wanted =
             [&](const std::string& name) {
               before = state.result.findings.size();
               if (!state.options.shard.has(name)) return false;
               if (!memory.recall(name, nullptr)) return true;
               ++report->reused;
               return false;
             },
         .looked = [&](const std::string& name,
                       bool is_complete) { memory.keep(name, nullptr, before, is_complete); }});
    const Expected<void> done = generating.run(*change, result.selection.uncovered_functions);
    progress_.clear();
    report->built += generating.built();
    RunResult generated = generating.take_result();
    state.result.executions += generated.executions;
    for (const nlohmann::ordered_json& one : generated.own["left_out"])
      if (one["reason"] == "there was no time left") report->not_reached.push_back(one["class"]);
    if (!generated.own["classes"].empty())
      report->notes.push_back(
          fmt::format("concurrent tests for {}: {}",
                      generated.own["classes"].size() == 1
                          ? "the class that changed"
                          : fmt::format("{} changed classes", generated.own["classes"].size()),
                      count_of(generated.findings.size(), "new finding")));
    report->own = std::move(generated.own);
    return done;
  }

 private:
  static void add(ReportContext& context, const FailureStory& story, const Finding& finding,
                  CheckState& state) {
    const std::string sameness = sameness_of(finding, {}, {});
    const bool is_there = std::ranges::any_of(state.result.findings, [&](const CheckFinding& other) {
      return other.found.finding.fingerprint == finding.fingerprint || other.found.sameness == sameness;
    });
    if (is_there) return;
    CheckFinding& added = state.result.findings.emplace_back();
    added.found.finding = finding;
    added.found.finding.status = FindingStatus::kNew;
    added.found.sameness = sameness;
    if (Expected<trace::Schedule> schedule = trace::read_schedule_file(finding.schedule))
      added.found.schedule = std::move(*schedule);
    added.found.has_example = true;
    added.found.execution.trace = context.trace().clone();
    added.found.execution.outcome = added.found.execution.trace.outcome();
    added.story = story;
  }

  Progress& progress_;
};

}  // namespace

std::unique_ptr<Stage> make_generate_stage(Progress& progress) {
  return std::make_unique<GenerateStage>(progress);
}

}  // namespace heddle
