#include "check/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "change/source_change.h"
#include "check/both_builds.h"
#include "check/carried_records.h"
#include "support/interruption.h"

namespace heddle {
namespace {

// "Account::deposit" of "Account::deposit(int) const".
std::string name_of(const FunctionId& function) {
  return function.signature.substr(0, function.signature.find('('));
}

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
                     [](const CheckedTest& test) { return test.complete && test.trouble.empty(); });
}

size_t CheckResult::count(FindingStatus status) const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const CheckFinding& finding) { return finding.found.finding.status == status; }));
}

Check::Check(CheckOptions options, Suppressions suppressions, History& history, Listener listener)
    : options_(std::move(options)),
      suppressions_(std::move(suppressions)),
      history_(history),
      listener_(std::move(listener)),
      symbolizer_(make_symbolizer()) {}

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
  if (done) done = try_tests(result);
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

Expected<void> Check::try_tests(CheckResult* result) {
  // A base without tests is one in which every finding would be new.
  const Expected<TestSuite> base = tests_of_base(*result);
  if (was_interrupted()) return {};
  if (options_.scope != CheckScope::kAll) select(base ? &*base : nullptr, result);
  Expected<TestSuite> suite =
      selected_ ? std::move(selected_->suite)
                : discover_tests(project_, result->head_build.source, result->head_build.folder);
  if (!suite) return tl::unexpected(suite.error());
  if (was_interrupted()) return {};
  if (base) result->gone = tests_gone(*base, *suite);
  result->unusable = std::move(suite->unusable);
  const std::vector<Comparison::Chosen> tests = choose(*suite, base ? &*base : nullptr, result);
  Comparison comparison(result->base_build, result->head_build, history_, suppressions_, *symbolizer_,
                        {.trial = {.seeds = options_.seeds,
                                   .verifies = options_.verifies,
                                   .test_timeout = project_.test_timeout},
                         .budget = options_.budget,
                         .again = options_.again,
                         .in_order = selected_.has_value() || options_.verifies,
                         .has_base = result->base_failure.empty(),
                         .renamed = renamed_functions(*result)},
                        listener_.test);
  const auto begin = std::chrono::steady_clock::now();
  const Expected<void> compared = comparison.run(tests, result);
  result->left = std::max(std::chrono::milliseconds(0),
                          options_.budget - std::chrono::duration_cast<std::chrono::milliseconds>(
                                                std::chrono::steady_clock::now() - begin));
  return compared;
}

Expected<TestSuite> Check::tests_of_base(const CheckResult& result) const {
  if (!result.base_failure.empty()) return usage_error(result.base_failure);
  return discover_tests(project_, result.base_build.source, result.base_build.folder);
}

// Whether something is known of what the tests do on the base. What is known of the same programs, built of
// other sources, becomes known of these.
bool Check::is_recorded(const TestSuite& suite, const ProjectBuild& build) {
  RecordKeeper keeper(history_, kept_as(build), *symbolizer_);
  bool found = false;
  for (const SuiteTest& test : suite.tests)
    if (keeper.find(test).value_or(std::nullopt)) found = true;
  if (found) return true;
  Expected<std::vector<KnownTest>> known = history_.records().load_all(build.revision.content);
  return known && carry_records(*repository_, build.revision, *known) > 0;
}

void Check::select(const TestSuite* base, CheckResult* result) {
  CheckSelection& selection = result->selection;
  if (!result->base_failure.empty()) {
    selection.why_not = fmt::format("{} does not build", result->base.name);
    return;
  }
  if (base == nullptr || !is_recorded(*base, result->base_build)) {
    selection.why_not =
        fmt::format("the history does not know what the tests do on {}; `heddle record --head {}` records it",
                    result->base.name, result->base.commit.substr(0, 12));
    return;
  }
  // Without, select would still tell that nothing has changed, but not whether flags have.
  for (const ProjectBuild* build : {&result->base_build, &result->head_build}) {
    if (!build->compile_commands.empty()) continue;
    selection.why_not = fmt::format("the build of {} leaves no compile_commands.json", build->revision.name);
    return;
  }
  if (listener_.step) listener_.step("looking for the tests that matter for the change");
  Expected<TestSelection> selected =
      select_for_change(*repository_, project_, {result->base, result->head}, history_,
                        {.store = options_.store,
                         .compilers = options_.compilers,
                         .step = listener_.build,
                         .select = {.seed = options_.order_seed}});
  if (!selected) {
    selection.why_not = selected.error().message;
    return;
  }
  selection.was_made = true;
  selection.is_empty_change = selected->is_empty_change;
  selection.selected = selected->selection.selected;
  selection.assumptions = selected->selection.assumptions;
  selection.uncovered_functions = selected->selection.uncovered_functions;
  selected_ = std::move(*selected);
}

std::vector<Comparison::Chosen> Check::choose(const TestSuite& head, const TestSuite* base,
                                              CheckResult* result) const {
  std::vector<Comparison::Chosen> chosen;
  const auto add = [&](const SuiteTest* test, bool is_plain) {
    if (test != nullptr)
      chosen.push_back({.test = test,
                        .base_test = base != nullptr ? base->find_same(*test) : nullptr,
                        .is_plain = is_plain});
  };
  CheckSelection& selection = result->selection;
  selection.of = head.tests.size();
  if (!selected_) {
    for (const SuiteTest& test : head.tests) {
      selection.order.push_back(test.name);
      add(&test, /*is_plain=*/false);
    }
    selection.selected = selection.of;
    return chosen;
  }
  for (const select::RankedTest& test : selected_->selection.tests) {
    selection.order.push_back(test.name);
    if (test.is_selected() || options_.scope == CheckScope::kOrdered)
      add(head.find(test.name), /*is_plain=*/false);
  }
  if (options_.scope != CheckScope::kReaching) return chosen;
  selection.reaching = selected_->reach_change.size();
  for (const std::string& test : selected_->reach_change) add(head.find(test), /*is_plain=*/true);
  return chosen;
}

// What the base calls otherwise. If the sources cannot be compared, nothing.
RenamedFunctions Check::renamed_functions(const CheckResult& result) const {
  RenamedFunctions renamed;
  if (!result.base_failure.empty()) return renamed;
  const Expected<SourceChange> change =
      selected_ ? selected_->change : compare_sources(*repository_, result.base, result.head);
  if (!change) return renamed;
  for (const FunctionChange& function : change->statements.functions()) {
    if (!function.old_function || !function.new_function) continue;
    const std::string before = name_of(*function.old_function);
    const std::string after = name_of(*function.new_function);
    if (before != after) renamed[before] = after;
  }
  return renamed;
}

}  // namespace heddle
