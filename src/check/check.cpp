#include "check/check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "execute/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

RecordKeeper::Build kept_as(const ProjectBuild& build) {
  const Revision& revision = build.revision;
  return {.tree = {revision.content, revision.commit, revision.is_working_tree},
          .source = build.source,
          .folder = build.folder,
          .home = build.folder.parent_path()};
}

}  // namespace

bool CheckResult::complete() const {
  return not_reached.empty() && std::all_of(tests.begin(), tests.end(), [](const CheckedTest& test) {
           return test.head.complete && test.head.trouble.empty();
         });
}

Check::Check(CheckOptions options, Suppressions suppressions, History& history, Listener listener)
    : options_(std::move(options)),
      suppressions_(std::move(suppressions)),
      history_(history),
      listener_(std::move(listener)),
      symbolizer_(make_symbolizer()) {}

Expected<CheckResult> Check::run() {
  const Expected<Repository> repository = Repository::open(options_.folder);
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Project> project = read_project(repository->root());
  if (!project) return tl::unexpected(project.error());
  Expected<RevisionPair> revisions = resolve_change(*repository, options_.base, options_.head);
  if (!revisions) return tl::unexpected(revisions.error());
  CheckResult result;
  result.base = std::move(revisions->base);
  result.head = std::move(revisions->head);
  if (const Expected<void> built = build_both(*repository, *project, &result); !built)
    return tl::unexpected(built.error());
  if (const Expected<void> tried = try_tests(*project, &result); !tried) return tl::unexpected(tried.error());
  return result;
}

Expected<void> Check::build_both(const Repository& repository, const Project& project, CheckResult* result) {
  Builder builder({.store = options_.store, .compilers = options_.compilers, .progress = listener_.step});
  Expected<ProjectBuild> base = builder.build(repository, result->base, project);
  if (!base) return tl::unexpected(base.error());
  Expected<ProjectBuild> head = builder.build(repository, result->head, project);
  if (!head) return tl::unexpected(head.error());
  result->base_build = std::move(*base);
  result->head_build = std::move(*head);
  base_keeper_.emplace(history_, kept_as(result->base_build), *symbolizer_);
  head_keeper_.emplace(history_, kept_as(result->head_build), *symbolizer_);
  return {};
}

Expected<void> Check::try_tests(const Project& project, CheckResult* result) {
  Expected<TestSuite> suite = discover_tests(project, result->head_build.source, result->head_build.folder);
  if (!suite) return tl::unexpected(suite.error());
  // A base without tests is one in which every finding would be new.
  const Expected<TestSuite> base =
      discover_tests(project, result->base_build.source, result->base_build.folder);
  result->unusable = std::move(suite->unusable);
  TrialOptions options;
  options.seeds = options_.seeds;
  options.test_timeout = project.test_timeout;
  options.deadline = Clock::now() + options_.budget;
  for (size_t i = 0; i < suite->tests.size(); ++i) {
    const SuiteTest& test = suite->tests[i];
    // What was found is executed again: a report is made of an execution.
    const std::optional<TrialMemory> clean = known(*head_keeper_, test, options);
    if (clean && clean->fingerprints.empty()) {
      result->suppressed += clean->suppressed;
      CheckedTest& tested = result->tests.emplace_back();
      tested.name = test.name;
      tested.head.complete = true;
      tested.was_tried_before = true;
      continue;
    }
    if (Clock::now() >= options.deadline || was_interrupted()) {
      result->not_reached.push_back(test.name);
      continue;
    }
    if (listener_.test) listener_.test(i + 1, suite->tests.size(), test.name);
    Expected<Trial> trial = try_test_of(*head_keeper_, test, options, result);
    if (!trial) return tl::unexpected(trial.error());
    result->suppressed += trial->suppressed;
    CheckedTest& tested = result->tests.emplace_back();
    tested.name = test.name;
    tested.head = std::move(*trial);
    const Expected<void> compared = compare(base ? base->find_same(test) : nullptr, &tested, options, result);
    if (!compared) return compared;
  }
  return {};
}

std::optional<TrialMemory> Check::known(RecordKeeper& keeper, const SuiteTest& test,
                                        const TrialOptions& options) {
  if (options_.again) return std::nullopt;
  // Trouble with what is remembered costs no more than the time to find it out again.
  return keeper.find_trial(test, settings_of(options, suppressions_)).value_or(std::nullopt);
}

Expected<Trial> Check::try_test_of(RecordKeeper& keeper, const SuiteTest& test, TrialOptions options,
                                   CheckResult* result) {
  options.observe = [&](const FirstExecution& first) { keeper.observe(first); };
  Expected<Trial> trial = try_test(test, options, suppressions_, *symbolizer_);
  if (!trial) return trial;
  result->executions += trial->executions;
  if (!result->not_kept.empty() || was_interrupted()) return trial;
  const Expected<TestRecord> kept = keeper.keep(test, *trial, settings_of(options, suppressions_));
  if (!kept) result->not_kept = kept.error().message;
  return trial;
}

// What the base shows, too, is known. The base is tried only where there is something to compare.
Expected<void> Check::compare(const SuiteTest* base_test, CheckedTest* tested, const TrialOptions& options,
                              CheckResult* result) {
  tested->in_base = base_test != nullptr;
  if (tested->head.findings.empty()) return {};
  std::set<std::string> known;
  if (base_test != nullptr && result->base.content != result->head.content) {
    TrialOptions in_full = options;  // what was begun is finished, or known findings would be called new
    in_full.deadline = Clock::time_point::max();
    tested->base_was_tried = true;
    if (const std::optional<TrialMemory> earlier = this->known(*base_keeper_, *base_test, in_full)) {
      known.insert(earlier->fingerprints.begin(), earlier->fingerprints.end());
    } else {
      const Expected<Trial> base = try_test_of(*base_keeper_, *base_test, in_full, result);
      if (!base) return tl::unexpected(base.error());
      for (const TrialFinding& finding : base->findings) known.insert(finding.finding.fingerprint);
    }
  } else if (base_test != nullptr) {
    for (const TrialFinding& finding : tested->head.findings) known.insert(finding.finding.fingerprint);
  }
  for (TrialFinding& finding : tested->head.findings) {
    finding.finding.status =
        known.count(finding.finding.fingerprint) != 0 ? FindingStatus::kKnown : FindingStatus::kNew;
    result->findings.push_back({tested->name, std::move(finding)});
  }
  tested->head.findings.clear();
  return {};
}

}  // namespace heddle
