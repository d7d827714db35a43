#include "check/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "change/source_change.h"
#include "support/interruption.h"

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

// "Account::deposit" of "Account::deposit(int) const".
std::string name_of(const FunctionId& function) {
  return function.signature.substr(0, function.signature.find('('));
}

// What the base calls otherwise. If the sources cannot be compared, nothing.
RenamedFunctions renamed_functions(const Repository& repository, const Revision& base, const Revision& head) {
  RenamedFunctions renamed;
  const Expected<SourceChange> change = compare_sources(repository, base, head);
  if (!change) return renamed;
  for (const FunctionChange& function : change->statements.functions()) {
    if (!function.old_function || !function.new_function) continue;
    const std::string before = name_of(*function.old_function);
    const std::string after = name_of(*function.new_function);
    if (before != after) renamed[before] = after;
  }
  return renamed;
}

// A finding that several tests show is told once.
void add_finding(const std::string& test, TrialFinding found, std::vector<CheckFinding>* findings) {
  for (CheckFinding& other : *findings) {
    if (other.found.sameness != found.sameness || other.found.finding.status != found.finding.status)
      continue;
    if (found.is_known_by_rate() && other.found.finding.fingerprint != found.finding.fingerprint) continue;
    other.tests.push_back(test);
    return;
  }
  findings->push_back({{test}, std::move(found)});
}

}  // namespace

struct Check::Item {
  const SuiteTest* test = nullptr;
  const SuiteTest* base_test = nullptr;
  size_t number = 0;                 // in the order of names
  bool has_record = false;           // it has been tried before, at least once
  bool is_finished = false;          // nothing is left to do
  std::unique_ptr<TestTrial> trial;  // none: an earlier check has found it clean
};

bool CheckResult::complete() const {
  return !interrupted && not_reached.empty() && unusable.empty() &&
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
  const Expected<Repository> repository = Repository::open(options_.folder);
  if (!repository) return tl::unexpected(repository.error());
  const Expected<Project> project = read_project(repository->root());
  if (!project) return tl::unexpected(project.error());
  Expected<RevisionPair> revisions = resolve_change(*repository, options_.base, options_.head);
  if (!revisions) return tl::unexpected(revisions.error());
  result->base = std::move(revisions->base);
  result->head = std::move(revisions->head);
  Expected<void> done = build_both(*repository, *project, result);
  if (done) renamed_ = renamed_functions(*repository, result->base, result->head);
  if (done) done = try_tests(*project, result);
  result->interrupted = was_interrupted();
  return result->interrupted ? Expected<void>() : done;
}

Expected<void> Check::build_both(const Repository& repository, const Project& project, CheckResult* result) {
  Builder builder({.store = options_.store,
                   .compilers = options_.compilers,
                   .progress = listener_.step,
                   .says = listener_.build});
  // What is there must not be given up for the other one.
  const std::optional<ProjectBuild> head_before = builder.find(repository, result->head, project);
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
  if (was_interrupted()) return {};
  result->unusable = std::move(suite->unusable);
  trial_options_.seeds = options_.seeds;
  trial_options_.test_timeout = project.test_timeout;
  deadline_ = Clock::now() + options_.budget;
  std::vector<Item> items = items_of(*suite, base ? &*base : nullptr, trial_options_);
  const Expected<void> tried = try_in_turns(&items, result);
  if (!tried) return tried;
  std::sort(result->tests.begin(), result->tests.end(),
            [](const CheckedTest& a, const CheckedTest& b) { return a.name < b.name; });
  return {};
}

std::vector<Check::Item> Check::items_of(const TestSuite& suite, const TestSuite* base,
                                         const TrialOptions& options) {
  std::vector<Item> items;
  for (const SuiteTest& test : suite.tests) {
    Item& item = items.emplace_back();
    item.test = &test;
    item.base_test = base != nullptr ? base->find_same(test) : nullptr;
    item.number = items.size();
    // Trouble with what is remembered costs no more than the time to find it out again.
    item.has_record = head_keeper_->find(test).value_or(std::nullopt).has_value();
    const std::optional<TrialMemory> known =
        options_.again
            ? std::nullopt
            : head_keeper_->find_trial(test, settings_of(options, suppressions_)).value_or(std::nullopt);
    // What was found is executed again: a report is made of an execution.
    if (known && known->fingerprints.empty()) continue;
    TrialOptions own = options;
    own.observe = [this, &test](const FirstExecution& first) { head_keeper_->observe(test, first); };
    item.trial = std::make_unique<TestTrial>(test, std::move(own), suppressions_, *symbolizer_);
  }
  // Where time is short, those that no check has come to yet come first.
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.has_record < b.has_record; });
  return items;
}

// Each test in turn gets its share of the time that is left. Most are done within theirs; what those leave is
// shared by the others in the next round.
Expected<void> Check::try_in_turns(std::vector<Item>* items, CheckResult* result) {
  auto waiting = static_cast<int64_t>(
      std::count_if(items->begin(), items->end(), [](const Item& item) { return item.trial != nullptr; }));
  for (bool goes_on = true; goes_on && waiting > 0 && !was_interrupted();) {
    goes_on = false;
    int64_t left_in_round = waiting;
    for (Item& item : *items) {
      if (item.trial == nullptr || item.is_finished) continue;
      const auto now = Clock::now();
      if (now >= deadline_ || was_interrupted()) break;
      goes_on = true;
      const auto tell = [&] {
        if (listener_.test)
          listener_.test(item.test->name, item.number, items->size(), item.trial->result().executions);
      };
      tell();
      item.trial->when_executed(tell);
      const Expected<void> tried =
          item.trial->run_to(options_.seeds, now + (deadline_ - now) / left_in_round);
      if (!tried) return tried;
      --left_in_round;
      if (!item.trial->is_over()) continue;
      --waiting;
      if (const Expected<void> finished = finish(&item, result); !finished) return finished;
    }
  }
  for (Item& item : *items) {
    if (item.is_finished) continue;
    if (const Expected<void> finished = finish(&item, result); !finished) return finished;
  }
  return {};
}

// Keeps what the test came to, and compares with the base what was found.
Expected<void> Check::finish(Item* item, CheckResult* result) {
  item->is_finished = true;
  const std::string& name = item->test->name;
  if (item->trial == nullptr) {
    result->tests.push_back({.name = name, .complete = true, .was_tried_before = true});
    return {};
  }
  if (!item->trial->has_begun() && item->trial->result().trouble.empty()) {
    result->not_reached.push_back(name);
    return {};
  }
  Trial trial = item->trial->take();
  result->executions += trial.executions;
  result->suppressed += trial.suppressed;
  result->tests.push_back(
      {.name = name, .executions = trial.executions, .complete = trial.complete, .trouble = trial.trouble});
  keep(*head_keeper_, *item->test, trial, trial_options_, result);
  if (trial.findings.empty()) return {};

  const Expected<std::vector<std::string>> known = known_in_base(*item, result);
  if (!known) return tl::unexpected(known.error());
  const bool is_base = result->base.content == result->head.content;
  for (TrialFinding& found : trial.findings) {
    const bool is_known =
        is_base || std::any_of(known->begin(), known->end(), [&](const std::string& remembered) {
          return is_same(found, trial, remembered);
        });
    found.finding.occurrences = found.occurrences;
    found.finding.status = is_known            ? FindingStatus::kKnown
                           : was_interrupted() ? FindingStatus::kUnknown
                                               : FindingStatus::kNew;
    add_finding(name, std::move(found), &result->findings);
  }
  return {};
}

// What the base shows, too. The base is tried only where there is something to compare; what was begun is
// finished, or known findings would be called new, and is not part of the budget.
Expected<std::vector<std::string>> Check::known_in_base(const Item& item, CheckResult* result) {
  std::vector<std::string> known;
  if (item.base_test == nullptr || result->base.content == result->head.content || was_interrupted())
    return known;
  TrialOptions options = trial_options_;
  options.renamed = renamed_;
  if (!options_.again && renamed_.empty()) {
    const auto earlier = base_keeper_->find_trial(*item.base_test, settings_of(options, suppressions_));
    if (earlier.value_or(std::nullopt)) return (*earlier)->fingerprints;
  }
  const auto started = Clock::now();
  options.observe = [&](const FirstExecution& first) { base_keeper_->observe(*item.base_test, first); };
  const Expected<Trial> base = try_test(*item.base_test, options, suppressions_, *symbolizer_);
  deadline_ += Clock::now() - started;
  if (!base) return tl::unexpected(base.error());
  result->executions += base->executions;
  for (const TrialFinding& finding : base->findings) known.push_back(remembered(finding, *base));
  if (renamed_.empty()) keep(*base_keeper_, *item.base_test, *base, options, result);
  return known;
}

void Check::keep(RecordKeeper& keeper, const SuiteTest& test, const Trial& trial, const TrialOptions& options,
                 CheckResult* result) {
  if (!result->not_kept.empty() || was_interrupted()) return;
  const Expected<TestRecord> kept = keeper.keep(test, trial, settings_of(options, suppressions_));
  if (!kept) result->not_kept = kept.error().message;
}

}  // namespace heddle
