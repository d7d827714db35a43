#include "check/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/both_builds.h"
#include "check/stages/stage.h"
#include "support/cpu_time.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// What nobody runs any more finds nothing.
std::vector<std::string> tests_gone(const TestSuite& base, const TestSuite& head) {
  std::vector<std::string> gone;
  for (const SuiteTest& test : base.tests)
    if (head.find_same(test) == nullptr &&
        std::none_of(head.unusable.begin(), head.unusable.end(),
                     [&](const UnusableTest& unusable) { return unusable.name == test.name; }))
      gone.push_back(test.name);
  return gone;
}

}  // namespace

bool CheckResult::complete() const {
  return !interrupted && base_failure.empty() && not_reached.empty() && unusable.empty() &&
         std::all_of(tests.begin(), tests.end(),
                     [](const CheckedTest& test) { return test.complete && test.trouble.empty(); }) &&
         std::all_of(stages.begin(), stages.end(), [](const StageReport& stage) {
           return stage.not_reached.empty() && stage.trouble.empty();
         });
}

size_t CheckResult::count(FindingStatus status) const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const CheckFinding& finding) { return finding.found.finding.status == status; }));
}

Check::Check(CheckOptions options, Stages stages, Suppressions suppressions, History& history,
             CheckListener listener)
    : options_(std::move(options)),
      stages_(std::move(stages)),
      suppressions_(std::move(suppressions)),
      history_(history),
      listener_(std::move(listener)),
      symbolizer_(make_symbolizer()) {}

Check::~Check() = default;

Expected<void> Check::run(CheckResult* result) {
  Expected<Repository> repository = Repository::open(options_.folder);
  if (!repository) return tl::unexpected(repository.error());
  repository_ = std::move(*repository);
  Expected<Project> project = read_project(repository_->root());
  if (!project) return tl::unexpected(project.error());
  project_ = std::move(*project);
  Expected<RevisionPair> revisions = resolve_change(*repository_, options_.base, options_.head);
  if (!revisions) return tl::unexpected(revisions.error());
  result->base = std::move(revisions->base);
  result->head = std::move(revisions->head);
  Expected<void> done = build_both(result);
  result->cpu_seconds_of_builds = cpu_time_with_children().count();
  if (done && !was_interrupted()) {
    Expected<CheckState> state = state_of(result);
    done = state ? run_stages(*state) : tl::unexpected(state.error());
  }
  result->interrupted = was_interrupted();
  return result->interrupted ? Expected<void>() : done;
}

Expected<void> Check::build_both(CheckResult* result) {
  Expected<BothBuilds> builds =
      heddle::build_both({.store = options_.store,
                          .compilers = options_.compilers,
                          .progress = listener_.step,
                          .says = listener_.build},
                         *repository_, project_, {result->base, result->head}, WithoutBase::kGoesOn);
  if (!builds) return tl::unexpected(builds.error());
  result->base_build = std::move(builds->base);
  result->head_build = std::move(builds->head);
  result->base_failure = std::move(builds->base_failure);
  return {};
}

Expected<CheckState> Check::state_of(CheckResult* result) {
  Expected<TestSuite> head = discover_tests(project_, result->head_build.source, result->head_build.folder);
  if (!head) return tl::unexpected(head.error());
  CheckState state{.options = options_,
                   .listener = listener_,
                   .repository = *repository_,
                   .project = project_,
                   .history = history_,
                   .suppressions = suppressions_,
                   .symbolizer = *symbolizer_,
                   .result = *result,
                   .base_suite = {},
                   .head_suite = std::move(*head),
                   .selected = {},
                   .tests = {},
                   .impacted = {},
                   .change = {}};
  result->unusable = state.head_suite.unusable;
  result->selection.of = state.head_suite.tests.size();
  if (!state.has_base()) return state;
  // A base without tests is one in which every finding would be new.
  Expected<TestSuite> base = discover_tests(project_, result->base_build.source, result->base_build.folder);
  if (!base) return state;
  result->gone = tests_gone(*base, state.head_suite);
  state.base_suite = std::move(*base);
  return state;
}

// The main loop. What a stage leaves of its share belongs to those after it.
Expected<void> Check::run_stages(CheckState& state) {
  deadline_ = Clock::now() + options_.budget;
  for (size_t i = 0; i < stages_.size() && !was_interrupted(); ++i) {
    double weights = 0;
    for (size_t j = i; j < stages_.size(); ++j)
      if (j == i || stages_[j]->idle(state).empty()) weights += stages_[j]->weight();
    const double part = weights > 0 ? stages_[i]->weight() / weights : 0;
    if (const Expected<void> done = run_stage(*stages_[i], part, state); !done) return done;
  }
  return {};
}

Expected<void> Check::run_stage(Stage& stage, double part, CheckState& state) {
  StageReport report{.name = stage.name(), .idle = stage.idle(state)};
  const uint64_t executions = state.result.executions;
  Expected<void> done;
  if (report.idle.empty()) {
    const Clock::time_point begin = Clock::now();
    const bool is_timed = stage.weight() > 0;
    const auto left = std::max(Clock::duration::zero(), deadline_ - begin);
    const auto share = std::chrono::duration_cast<Clock::duration>(left * part);
    report.share = std::chrono::duration_cast<std::chrono::milliseconds>(share);
    done = stage.run(state, is_timed ? begin + share : Clock::time_point::max(), &report);
    const auto spent = Clock::now() - begin;
    report.spent = std::chrono::duration_cast<std::chrono::milliseconds>(spent);
    deadline_ += is_timed ? Clock::duration(report.built) : spent;
  }
  // What the others find is worth telling, unless there is nothing to begin with.
  if (!done && !was_interrupted()) report.trouble = done.error().message;
  report.executions = state.result.executions - executions;
  note_first_finding(&state.result);
  state.result.stages.push_back(std::move(report));
  return done || !stage.is_essential() || was_interrupted() ? Expected<void>() : done;
}

}  // namespace heddle
