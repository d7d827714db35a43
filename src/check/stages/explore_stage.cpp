#include <algorithm>

#include <fmt/format.h>

#include "check/stages/compared_tests.h"
#include "check/stages/stage_memory.h"
#include "check/stages/stages.h"
#include "explore/session.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What so many executions of one test have not shown, others of it hardly will; those of other tests may.
constexpr uint64_t kMostExecutions = 10'000;
// Less is not worth a program's start.
constexpr milliseconds kLeastTime{100};

// Failures of one test of one build, in the order in which they were found.
class Failures final : public SessionListener {
 public:
  explicit Failures(CheckState& state) : state_(state) {}

  std::string fingerprint(const Execution& execution) override {
    const std::optional<Finding> finding =
        make_finding(execution.trace, state_.symbolizer, &state_.suppressions);
    return finding ? finding->fingerprint : "";
  }
  Expected<void> on_failure(const Failure& failure) override {
    std::optional<Finding> finding =
        make_finding(failure.execution.trace, state_.symbolizer, &state_.suppressions);
    if (!finding) return {};
    CheckFinding& added = findings_.emplace_back();
    added.found.finding = std::move(*finding);
    added.found.finding.executions_to_find = failure.executions_to_find;
    added.found.sameness = sameness_of(added.found.finding, {}, {});
    added.found.has_example = true;
    added.found.schedule = failure.server.schedule_of(failure.request, failure.execution);
    added.found.execution = failure.execution;
    added.found.execution.trace = failure.execution.trace.clone();
    added.found.execution.learned = {};
    return {};
  }
  void on_known_failure(const std::string&) override {}
  Expected<void> on_first_execution(const Execution&) override { return {}; }
  void on_divergence(const trace::Trace&, const trace::Trace&) override {}
  void on_trouble(const std::string&) override {}
  void on_progress(const SessionStatus& status) override {
    if (state_.listener.build)
      state_.listener.build(fmt::format("exploring {}: {}", name_, count_of(status.executions, "execution")));
  }

  void set_name(const std::string& name) { name_ = name; }
  std::vector<CheckFinding>& findings() { return findings_; }
  bool has(const CheckFinding& finding) const {
    return std::ranges::any_of(
        findings_, [&](const CheckFinding& other) { return other.found.sameness == finding.found.sameness; });
  }

 private:
  CheckState& state_;
  std::string name_;
  std::vector<CheckFinding> findings_;
};

class ExploreStage final : public Stage {
 public:
  std::string name() const override { return "explore"; }
  double weight() const override { return 2; }

  std::string idle(const CheckState& state) const override {
    if (std::string why = why_not_compared(state); !why.empty()) return why;
    return {};
  }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    report->own["tests"] = nlohmann::ordered_json::array();
    StageMemory memory(state, this->name(), state.options.order_seed);
    std::vector<const Comparison::Chosen*> tests;
    for (const Comparison::Chosen* chosen : tests_that_matter(state))
      if (const auto lines = state.impacted.find(chosen->test->name);
          lines != state.impacted.end() && !lines->second.empty())
        tests.push_back(chosen);
    for (size_t i = 0; i < tests.size() && !was_interrupted(); ++i) {
      const SuiteTest& test = *tests[i]->test;
      if (memory.recall(test.name, &test)) {
        ++report->reused;
        continue;
      }
      const auto share = std::chrono::duration_cast<milliseconds>(deadline - Clock::now()) /
                         static_cast<int64_t>(tests.size() - i);
      if (share < kLeastTime) {
        report->not_reached.push_back(test.name);
        continue;
      }
      const size_t before = state.result.findings.size();
      const Expected<bool> complete = explore(state, *tests[i], share, report);
      if (complete)
        memory.keep(test.name, &test, before, *complete);
      else if (!was_interrupted())
        report->notes.push_back(fmt::format("{}: {}", test.name, complete.error().message));
    }
    return {};
  }

 private:
  static SessionOptions options_for(const CheckState& state, milliseconds budget,
                                    const PreferredLines& preferred) {
    SessionOptions options;
    options.strategy_options.seed = state.options.order_seed;
    options.setting.timeout = state.project.test_timeout;
    options.budget = budget;
    options.max_executions = kMostExecutions;
    options.keep_going = true;
    options.stops_at_divergence = false;
    options.preferred = preferred;
    return options;
  }

  // Gives whether all that matters was executed. What the base does as well within the same time is known.
  static Expected<bool> explore(CheckState& state, const Comparison::Chosen& chosen, milliseconds budget,
                                StageReport* report) {
    const PreferredLines& preferred = state.impacted.at(chosen.test->name);
    Failures head(state);
    head.set_name(chosen.test->name);
    const SessionOptions options = options_for(state, budget, preferred);
    const Expected<SessionResult> of_head = explore_test(chosen.test->command, {}, options, head);
    if (!of_head) return tl::unexpected(of_head.error());
    state.result.executions += of_head->executions;
    report->own["tests"].push_back({{"name", chosen.test->name},
                                    {"executions", of_head->executions},
                                    {"complete", of_head->claim.complete},
                                    {"preferred_lines", preferred.size()}});
    std::erase_if(head.findings(), [&](const CheckFinding& finding) {
      return std::ranges::any_of(state.result.findings, [&](const CheckFinding& other) {
        // An exit code was compared with the base before, by what the test says of it.
        return (finding.found.finding.kind == "exit-code" && other.found.finding.kind == "exit-code" &&
                std::ranges::find(other.tests, chosen.test->name) != other.tests.end()) ||
               other.found.sameness == finding.found.sameness ||
               other.found.finding.fingerprint == finding.found.finding.fingerprint;
      });
    });
    if (head.findings().empty()) return of_head->claim.complete;
    Failures base(state);
    if (chosen.base_test != nullptr) {
      base.set_name(chosen.test->name + " of the base");
      const Expected<SessionResult> of_base = explore_test(chosen.base_test->command, {}, options, base);
      if (!of_base) return tl::unexpected(of_base.error());
      state.result.executions += of_base->executions;
    }
    for (CheckFinding& finding : head.findings()) {
      finding.tests = {chosen.test->name};
      finding.found.finding.status = base.has(finding) ? FindingStatus::kKnown : FindingStatus::kNew;
      state.result.findings.push_back(std::move(finding));
    }
    return of_head->claim.complete;
  }
};

}  // namespace

std::unique_ptr<Stage> make_explore_stage() {
  return std::make_unique<ExploreStage>();
}

}  // namespace heddle
