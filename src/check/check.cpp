#include "check/check.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "execute/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

bool CheckResult::complete() const {
  return not_reached.empty() && std::all_of(tests.begin(), tests.end(), [](const CheckedTest& test) {
           return test.head.complete && test.head.trouble.empty();
         });
}

Check::Check(CheckOptions options, Suppressions suppressions, Listener listener)
    : options_(std::move(options)),
      suppressions_(std::move(suppressions)),
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
    if (Clock::now() >= options.deadline || was_interrupted()) {
      result->not_reached.push_back(test.name);
      continue;
    }
    if (listener_.test) listener_.test(i + 1, suite->tests.size(), test.name);
    Expected<Trial> trial = try_test(test, options, suppressions_, *symbolizer_);
    if (!trial) return tl::unexpected(trial.error());
    result->executions += trial->executions;
    result->suppressed += trial->suppressed;
    CheckedTest& tested = result->tests.emplace_back();
    tested.name = test.name;
    tested.head = std::move(*trial);
    const Expected<void> compared = compare(base ? base->find(test.name) : nullptr, &tested, options, result);
    if (!compared) return compared;
  }
  return {};
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
    const Expected<Trial> base = try_test(*base_test, in_full, suppressions_, *symbolizer_);
    if (!base) return tl::unexpected(base.error());
    tested->base_was_tried = true;
    result->executions += base->executions;
    for (const TrialFinding& finding : base->findings) known.insert(finding.finding.fingerprint);
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
