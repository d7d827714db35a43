#include "safety.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "changed_subject.h"
#include "common/table.h"
#include "full_prediction.h"
#include "subject_tests.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

// To find some that execute what is changed among the hundreds of tests that some subjects have.
constexpr size_t kTestsTried = 100;

std::string words_of(const Finding& finding) {
  std::string text = finding.kind;
  if (finding.pattern) text += fmt::format(" {}", *finding.pattern);
  for (const FindingSite& site : finding.sites)
    text += fmt::format(", {}:{}:{}", std::filesystem::path(site.file).filename().string(), site.line,
                        site.column);
  return text;
}

Expected<void> look_into(const ChangeImpact& change, const std::string& test, SafetyFigures* figures) {
  const Expected<StartedTest> started = start_test(change, test);
  if (!started) return tl::unexpected(started.error());
  const Expected<std::unique_ptr<TestImpact>> found = started->compared->next();
  if (!found) return tl::unexpected(found.error());
  if (*found == nullptr) return {};
  figures->impacted += (*found)->impact.events.size();
  ++figures->tests;
  FullPrediction full(change, *started->compared, **found, *started->symbolizer);
  const Expected<std::vector<FailingPattern>> patterns = full.run();
  if (!patterns) return tl::unexpected(patterns.error());
  for (const FailingPattern& pattern : *patterns) {
    ++figures->confirmed;
    if (pattern.has_impacted) continue;
    if (pattern.is_in_focus)
      ++figures->elsewhere;
    else if (pattern.is_of_another)
      ++figures->of_another;
    else
      figures->missed.push_back(fmt::format("{}: {}", test, words_of(pattern.finding)));
  }
  return {};
}

bool enters(const SubjectTest& test, const std::vector<LineRange>& functions) {
  return std::ranges::any_of(functions, [&](const LineRange& function) {
    const auto file = test.lines.find(function.file);
    if (file == test.lines.end()) return false;
    const auto line = file->second.lower_bound(function.first);
    return line != file->second.end() && *line <= function.last;
  });
}

}  // namespace

Expected<std::vector<SafetyFigures>> measure_safety(const Subject& subject, const SafetyOptions& options) {
  Expected<ChangedSubject> changed = ChangedSubject::prepare(subject, options.work, options.compilers);
  if (!changed) return tl::unexpected(changed.error());
  const Expected<std::vector<SubjectTest>> tests = tests_with_threads(*changed, kTestsTried);
  if (!tests) return tl::unexpected(tests.error());
  std::vector<SafetyFigures> all;
  size_t compiled = 0;
  for (const RiskyChange& risky : mixed(make_risky(changed->sources()), options.seed)) {
    if (compiled == options.changes || was_interrupted()) break;
    SafetyFigures figures{.subject = subject.name, .kind = risky.kind, .name = risky.name()};
    if (figures.name.find(options.only) == std::string::npos) continue;
    std::vector<std::string> entering;
    for (const SubjectTest& test : *tests)
      if (entering.size() < options.tests && enters(test, risky.mutant.functions))
        entering.push_back(test.name);
    if (entering.empty()) continue;
    fmt::print(stderr, "{}: {}\n", subject.name, figures.name);
    const Expected<std::optional<ChangeImpact>> change = changed->change(risky.mutant.texts, figures.name);
    if (!change) return tl::unexpected(change.error());
    figures.compiles = change->has_value();
    compiled += figures.compiles ? 1 : 0;
    if (figures.compiles)
      for (const std::string& test : entering)
        if (const Expected<void> done = look_into(**change, test, &figures); !done)
          return tl::unexpected(done.error());
    for (const std::string& missed : figures.missed) fmt::print(stderr, "  MISSED {}\n", missed);
    all.push_back(std::move(figures));
  }
  return all;
}

std::string print_safety(const std::vector<SafetyFigures>& figures, bool markdown) {
  struct Totals {
    uint64_t generated = 0;
    uint64_t compiling = 0;
    uint64_t failing = 0;
    uint64_t confirmed = 0;
    uint64_t elsewhere = 0;
    uint64_t of_another = 0;
    uint64_t missed = 0;
  };
  std::map<RiskyKind, Totals> kinds;
  Totals all;
  for (const SafetyFigures& one : figures) {
    for (Totals* totals : {&kinds[one.kind], &all}) {
      ++totals->generated;
      totals->compiling += one.compiles ? 1 : 0;
      totals->failing += one.confirmed > 0 ? 1 : 0;
      totals->confirmed += one.confirmed;
      totals->elsewhere += one.elsewhere;
      totals->of_another += one.of_another;
      totals->missed += one.missed.size();
    }
  }
  Table table({"change", "generated", "compile", "with a failing pattern", "patterns", "other example",
               "other cause", "missed"});
  const auto add = [&](const std::string& name, const Totals& totals) {
    table.add({name, std::to_string(totals.generated), std::to_string(totals.compiling),
               std::to_string(totals.failing), std::to_string(totals.confirmed),
               std::to_string(totals.elsewhere), std::to_string(totals.of_another),
               std::to_string(totals.missed)});
  };
  for (const auto& [kind, totals] : kinds) add(to_text(kind), totals);
  add("all", all);
  return table.print(markdown);
}

std::string print_missed(const std::vector<SafetyFigures>& figures) {
  std::string text;
  for (const SafetyFigures& one : figures)
    for (const std::string& missed : one.missed)
      text +=
          fmt::format("{}: {}\n    {} ({} impacted events)\n", one.subject, one.name, missed, one.impacted);
  return text;
}

}  // namespace heddle::bench
