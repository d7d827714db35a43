#include "check/comparison.h"

#include <algorithm>

#include "support/cpu_time.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// A race that so many tests of the base do not show is not looked for in those of further tests.
constexpr uint32_t kEnoughTests = 3;

// What is known by the places that take part is the program's, whichever test shows it.
bool is_of_program(const TrialFinding& found) {
  const std::string& kind = found.finding.kind;
  return kind == "race" || kind == "use-after-free" || kind == "deadlock";
}

// A finding that several tests show is told once.
void add_finding(CheckFinding added, std::vector<CheckFinding>* findings) {
  const TrialFinding& found = added.found;
  for (CheckFinding& other : *findings) {
    if (other.found.sameness != found.sameness || other.found.finding.status != found.finding.status)
      continue;
    if (found.is_known_by_rate() && other.found.finding.fingerprint != found.finding.fingerprint) continue;
    const bool goes_first = found.has_example && !other.found.has_example;
    if (goes_first) std::swap(other, added);
    for (std::string& test : added.tests)
      if (std::ranges::find(other.tests, test) == other.tests.end()) other.tests.push_back(std::move(test));
    return;
  }
  findings->push_back(std::move(added));
}

// Whether more executions of the base could say nothing more of what the head shows.
bool has_all_of(const Trial& head, const Trial& base) {
  return std::ranges::all_of(head.findings, [&](const TrialFinding& found) {
    return !found.is_known_by_rate() && std::ranges::any_of(base.findings, [&](const TrialFinding& other) {
      return other.sameness == found.sameness;
    });
  });
}

}  // namespace

void note_first_finding(ComparisonResult* result) {
  if (result->cpu_seconds_to_first_finding) return;
  const bool has_new = std::ranges::any_of(result->findings, [](const CheckFinding& finding) {
    return finding.found.finding.status == FindingStatus::kNew;
  });
  if (has_new) result->cpu_seconds_to_first_finding = cpu_time_with_children().count();
}

RecordKeeper::Build kept_as(const ProjectBuild& build) {
  const Revision& revision = build.revision;
  return {.tree = tree_of(revision),
          .source = build.source,
          .folder = build.folder,
          .home = build.folder.parent_path()};
}

struct Comparison::Item {
  Chosen chosen;
  size_t number = 0;
  bool has_record = false;           // it has been tried before, at least once
  bool is_finished = false;          // nothing is left to do
  std::unique_ptr<TestTrial> trial;  // none: an earlier check has found it clean
};

Comparison::Comparison(const ProjectBuild& base, const ProjectBuild& head, History& history,
                       Suppressions& suppressions, Symbolizer& symbolizer, Options options, Listener listener)
    : options_(std::move(options)),
      is_same_content_(base.revision.content == head.revision.content),
      suppressions_(suppressions),
      symbolizer_(symbolizer),
      listener_(std::move(listener)),
      base_keeper_(history, kept_as(base), symbolizer),
      head_keeper_(history, kept_as(head), symbolizer) {}

Expected<void> Comparison::run(const std::vector<Chosen>& tests, ComparisonResult* result) {
  deadline_ = Clock::now() + options_.budget;
  std::vector<Item> items = items_of(tests);
  Expected<void> tried = options_.in_order ? try_once(&items, result) : Expected<void>();
  if (tried) tried = try_in_turns(&items, result);
  for (Item& item : items)
    if (tried && !item.is_finished) tried = finish(&item, result);
  settle(result);
  std::sort(result->tests.begin(), result->tests.end(),
            [](const CheckedTest& a, const CheckedTest& b) { return a.name < b.name; });
  return tried;
}

std::vector<Comparison::Item> Comparison::items_of(const std::vector<Chosen>& tests) {
  std::vector<Item> items;
  for (const Chosen& chosen : tests) {
    Item& item = items.emplace_back();
    item.chosen = chosen;
    item.number = items.size();
    const SuiteTest& test = *chosen.test;
    TrialOptions own = options_.trial;
    if (chosen.is_plain) {
      own.seeds = 0;
      own.detects = own.verifies = false;
    } else {
      // Trouble with what is remembered costs no more than the time to find it out again.
      item.has_record = head_keeper_.find(test).value_or(std::nullopt).has_value();
      const std::optional<TrialMemory> known =
          options_.again
              ? std::nullopt
              : head_keeper_.find_trial(test, settings_of(own, suppressions_)).value_or(std::nullopt);
      // What was found is executed again: a report is made of an execution.
      if (known && known->fingerprints.empty()) continue;
      own.observe = [this, &test](const ObservedExecution& first) { head_keeper_.observe(test, first); };
    }
    own.wants_example = [this](const TrialFinding& found) {
      return !is_of_program(found) || examples_.insert(found.sameness).second;
    };
    item.trial = std::make_unique<TestTrial>(test, std::move(own), suppressions_, symbolizer_);
  }
  // Where time is short, those that no check has come to yet come first.
  if (!options_.in_order)
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.has_record < b.has_record; });
  return items;
}

Expected<void> Comparison::try_to(Item* item, uint64_t seeds, size_t left_in_round, size_t total,
                                  ComparisonResult* result) {
  const auto tell = [&] {
    if (listener_) listener_(item->chosen.test->name, item->number, total, item->trial->result().executions);
  };
  tell();
  item->trial->when_executed(tell);
  const auto now = Clock::now();
  const Expected<void> tried =
      item->trial->run_to(seeds, now + (deadline_ - now) / static_cast<int64_t>(left_in_round));
  if (!tried) return tried;
  return item->trial->is_over() ? finish(item, result) : Expected<void>();
}

// So that there is something to say of each of them, however short the time is.
Expected<void> Comparison::try_once(std::vector<Item>* items, ComparisonResult* result) {
  size_t left = items->size();
  for (Item& item : *items) {
    --left;
    if (item.trial == nullptr) continue;
    if (Clock::now() >= deadline_ || was_interrupted()) break;
    // The last one is not to take the time of all for what it suspects.
    if (const Expected<void> tried = try_to(&item, 0, left + 2, items->size(), result); !tried) return tried;
  }
  return {};
}

// Each test in turn gets its share of the time that is left. Most are done within theirs; what those leave is
// shared by the others in the next round.
Expected<void> Comparison::try_in_turns(std::vector<Item>* items, ComparisonResult* result) {
  const auto waits = [](const Item& item) { return item.trial != nullptr && !item.is_finished; };
  while (!was_interrupted() && Clock::now() < deadline_) {
    auto left = static_cast<size_t>(std::count_if(items->begin(), items->end(), waits));
    if (left == 0) break;
    for (Item& item : *items) {
      if (!waits(item)) continue;
      if (Clock::now() >= deadline_ || was_interrupted()) break;
      if (const Expected<void> tried = try_to(&item, options_.trial.seeds, left, items->size(), result);
          !tried)
        return tried;
      --left;
    }
  }
  return {};
}

// Keeps what the test came to, and compares with the base what was found.
Expected<void> Comparison::finish(Item* item, ComparisonResult* result) {
  item->is_finished = true;
  const Chosen& chosen = item->chosen;
  const std::string& name = chosen.test->name;
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
  result->verifying_executions += trial.verifying_executions;
  result->suppressed += trial.suppressed;
  result->tests.push_back({.name = name,
                           .executions = trial.executions,
                           .complete = trial.complete,
                           .trouble = trial.trouble,
                           .is_plain = chosen.is_plain});
  if (!chosen.is_plain) keep(head_keeper_, *chosen.test, trial, result);
  if (trial.findings.empty()) return {};

  std::vector<std::string> known;
  if (!is_settled(trial)) {
    Expected<std::vector<std::string>> in_base = known_in_base(*item, trial, result);
    if (!in_base) return tl::unexpected(in_base.error());
    known = std::move(*in_base);
    for (const TrialFinding& found : trial.findings)
      if (is_of_program(found) && !was_interrupted()) ++not_in_base_[found.sameness];
  }
  for (TrialFinding& found : trial.findings) {
    const bool is_known =
        is_same_content_ || (is_of_program(found) && races_of_base_.contains(found.sameness)) ||
        std::any_of(known.begin(), known.end(),
                    [&](const std::string& remembered) { return is_same(found, trial, remembered); });
    found.finding.occurrences = found.occurrences;
    found.finding.status = is_known                                  ? FindingStatus::kKnown
                           : was_interrupted() || !options_.has_base ? FindingStatus::kUnknown
                                                                     : FindingStatus::kNew;
    add_finding({{name}, std::move(found)}, &result->findings);
  }
  note_first_finding(result);
  return {};
}

// Whether enough tests of the base have been asked for what was found.
bool Comparison::is_settled(const Trial& trial) const {
  return std::all_of(trial.findings.begin(), trial.findings.end(), [&](const TrialFinding& found) {
    if (!is_of_program(found)) return false;
    const auto asked = not_in_base_.find(found.sameness);
    return races_of_base_.contains(found.sameness) ||
           (asked != not_in_base_.end() && asked->second >= kEnoughTests);
  });
}

// What the base shows, too. The base is tried only where there is something to compare; what was begun is
// finished, or known findings would be called new, and is not part of the budget.
Expected<std::vector<std::string>> Comparison::known_in_base(const Item& item, const Trial& head,
                                                             ComparisonResult* result) {
  std::vector<std::string> known;
  const SuiteTest* test = item.chosen.base_test;
  if (test == nullptr || is_same_content_ || was_interrupted()) return known;
  TrialOptions options = options_.trial;
  options.renamed = options_.renamed;
  if (item.chosen.is_plain) {
    options.seeds = 0;
    options.detects = options.verifies = false;
  }
  const bool keeps = options_.renamed.empty() && !item.chosen.is_plain;
  std::optional<TrialMemory> earlier;
  if (!options_.again && keeps)
    earlier = base_keeper_.find_trial(*test, settings_of(options, suppressions_)).value_or(std::nullopt);
  if (earlier) {
    known = std::move(earlier->fingerprints);
  } else {
    const auto started = Clock::now();
    options.wants_example = [](const TrialFinding&) { return false; };
    if (keeps) options.observe = [&](const ObservedExecution& first) { base_keeper_.observe(*test, first); };
    TestTrial trial(*test, options, suppressions_, symbolizer_);
    Expected<void> tried = trial.run_to(0, Clock::time_point::max());
    // A test that hangs in both would hang under each schedule, for as long as its timeout.
    if (tried && !has_all_of(head, trial.result()))
      tried = trial.run_to(options.seeds, Clock::time_point::max());
    deadline_ += Clock::now() - started;
    if (!tried) return tl::unexpected(tried.error());
    const Trial base = trial.take();
    result->executions += base.executions;
    result->verifying_executions += base.verifying_executions;
    for (const TrialFinding& finding : base.findings) known.push_back(remembered(finding, base));
    if (keeps) keep(base_keeper_, *test, base, result);
  }
  // What is known by how often it shows is the test's own, and no sameness of a race is like it.
  races_of_base_.insert(known.begin(), known.end());
  return known;
}

// A race that one test of the base has not shown, another may have shown later. And what is new in one test
// is new in those, too, that an interruption has kept from being compared.
void Comparison::settle(ComparisonResult* result) const {
  std::set<std::string> is_new;
  for (const CheckFinding& finding : result->findings)
    if (finding.found.finding.status == FindingStatus::kNew) is_new.insert(finding.found.sameness);
  std::vector<CheckFinding> settled;
  for (CheckFinding& finding : result->findings) {
    FindingStatus& status = finding.found.finding.status;
    if (is_of_program(finding.found)) {
      if (races_of_base_.contains(finding.found.sameness))
        status = FindingStatus::kKnown;
      else if (is_new.contains(finding.found.sameness))
        status = FindingStatus::kNew;
    }
    add_finding(std::move(finding), &settled);
  }
  result->findings = std::move(settled);
}

void Comparison::keep(RecordKeeper& keeper, const SuiteTest& test, const Trial& trial,
                      ComparisonResult* result) {
  if (!result->not_kept.empty() || was_interrupted()) return;
  const Expected<TestRecord> kept = keeper.keep(test, trial, settings_of(options_.trial, suppressions_));
  if (!kept) result->not_kept = kept.error().message;
}

}  // namespace heddle
