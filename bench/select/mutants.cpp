#include "mutants.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "common/process.h"
#include "common/table.h"
#include "mutant_store.h"
#include "tables.h"
#include "trace/hash.h"

namespace heddle::bench {
namespace {

// Which tests can show something of a mutant that the base does not: those in which a thread enters one of
// the changed functions while there are other threads. That is what makes hundreds of mutants affordable.
//
// Executions are deterministic. A test that comes to no changed instruction, under any of the schedules that
// are tried, does on the mutant what it did on the base under the same schedules, and reveals what it
// revealed there, which is no regression. A thread that is alone does so even if it comes to one: what a
// mutant changes is synchronisation, without which a single thread computes the same; and what it does then
// is ordered with everything else by the creation and the joining of threads, whichever locks it takes.
std::set<std::string> tests_that_enter(const std::vector<LineRange>& functions,
                                       const TestOutcomes& base_outcomes) {
  const auto enters = [](const TestOutcome& outcome, const LineRange& function) {
    const auto file = outcome.lines.find(function.file);
    if (file == outcome.lines.end()) return false;
    const auto line = file->second.lower_bound(function.first);
    return line != file->second.end() && *line <= function.last;
  };
  std::set<std::string> tests;
  for (const auto& [name, outcome] : base_outcomes) {
    const bool is_one =
        std::ranges::any_of(functions, [&](const LineRange& function) { return enters(outcome, function); });
    // Of one that was not seen to its end, nobody knows.
    if (is_one || !outcome.trouble.empty()) tests.insert(name);
  }
  return tests;
}

class MutantMeasurement {
 public:
  MutantMeasurement(Workbench& bench, const Mutant& mutant, bool is_full)
      : bench_(bench), mutant_(mutant), is_full_(is_full) {
    figures_.subject = bench.subject().name;
    figures_.kind = mutant.kind;
    figures_.file = mutant.file;
    figures_.line = mutant.line;
    figures_.what = mutant.what;
  }

  Expected<MutantFigures> run() {
    uint64_t content = trace::fnv1a(fmt::format("{:016x}", bench_.base().content));
    for (const auto& [file, text] : mutant_.texts) content = trace::fnv1a(file + '\n' + text, content);
    name_ = fmt::format("mutant-{:016x}", content);
    const std::filesystem::path known = bench_.folder() / "mutants" / (name_ + ".json");
    std::optional<MutantFigures> figures = read_mutant(known);
    if (figures && (!is_full_ || !figures->compiles)) return std::move(*figures);
    bench_.say(fmt::format("{}", figures_.name()));
    const Expected<Revision> head = bench_.repository().commit(mutant_.texts, figures_.name());
    if (!head) return tl::unexpected(head.error());
    if (const Expected<void> measured = measure(*head); !measured) return tl::unexpected(measured.error());
    write_mutant(figures_, known);
    return std::move(figures_);
  }

 private:
  Expected<void> measure(const Revision& head) {
    double started = cpu_seconds_so_far();
    const auto lap = [&] {
      const double now = cpu_seconds_so_far();
      return now - std::exchange(started, now);
    };
    BuildFailure failure;
    const Expected<ProjectBuild> build = bench_.build(head, &failure);
    figures_.build_cpu_seconds = lap();
    if (!build && failure.step.empty()) return tl::unexpected(build.error());
    figures_.compiles = build.has_value();
    if (!build) return {};
    const Expected<TestSelection> selected = bench_.select(head, {});
    if (!selected) return tl::unexpected(selected.error());
    figures_.select_cpu_seconds = lap();
    const std::set<std::string> names = tests_that_enter(mutant_.functions, bench_.base_outcomes());
    const Expected<TestOutcomes> outcomes =
        bench_.execute(*build, selected->suite, is_full_ ? nullptr : &names, name_);
    if (!outcomes) return tl::unexpected(outcomes.error());
    say_unexpected(*outcomes, names);
    for (const auto& [name, outcome] : *outcomes) figures_.test_cpu_seconds += outcome.cpu_seconds;
    figures_.suite = selected->suite.tests.size();
    figures_.executed = names.size();
    figures_.selected = selected->selection.selected;
    compare(*selected, *outcomes);
    return {};
  }

  void say_unexpected(const TestOutcomes& outcomes, const std::set<std::string>& expected) const {
    for (const auto& [name, outcome] : outcomes) {
      if (expected.contains(name)) continue;
      if (!bench_.regressions({{name, outcome}}).empty() || !bench_.new_failures(outcome).empty())
        bench_.say(fmt::format("{} shows something new, but no thread of it should meet the change", name));
    }
  }

  void compare(const TestSelection& selection, const TestOutcomes& outcomes) {
    std::set<std::string> selected;
    for (const select::RankedTest& test : selection.selection.tests)
      if (test.is_selected()) selected.insert(test.name);
    const std::set<Race> races = bench_.regressions(outcomes);
    figures_.races = races.size();
    figures_.missed = missed_races(races, outcomes, selected);
    std::set<std::string> revealed;
    std::map<std::string, std::vector<std::string>> others;  // failures of tests that are not selected
    for (const auto& [name, outcome] : outcomes) {
      const std::set<std::string> failures = bench_.new_failures(outcome);
      figures_.failures += failures.empty() ? 0 : 1;
      for (const std::string& failure : failures) {
        if (selected.contains(name))
          revealed.insert(failure);
        else
          others[failure].push_back(name);
      }
    }
    for (const auto& [failure, tests] : others)
      if (!revealed.contains(failure))
        figures_.missed_failures.push_back(fmt::format("{}, in {}", failure, shortened(tests)));
  }

  Workbench& bench_;
  const Mutant& mutant_;
  const bool is_full_;
  std::string name_;
  MutantFigures figures_;
};

struct KindTotals {
  size_t mutants = 0;
  size_t racy = 0;
  size_t races = 0;
  size_t missed = 0;
  size_t failing = 0;
  size_t executed = 0;
  size_t selected = 0;
  size_t suite = 0;
};

}  // namespace

std::string MutantFigures::name() const {
  return fmt::format("{} at {}:{}: {}", to_text(kind), file, line, what);
}

Expected<void> measure_mutants(Workbench& bench, const MutantPlan& plan,
                               std::vector<MutantFigures>& measured) {
  const Expected<SourceTexts> sources = bench.repository().sources();
  if (!sources) return tl::unexpected(sources.error());
  size_t compiled = 0;
  for (const Mutant& mutant : mixed(make_mutants(*sources), plan.seed)) {
    if (compiled == plan.count) break;
    Expected<MutantFigures> figures = MutantMeasurement(bench, mutant, plan.is_full).run();
    if (!figures) return tl::unexpected(figures.error());
    compiled += figures->compiles ? 1 : 0;
    measured.push_back(std::move(*figures));
  }
  return {};
}

std::string print_mutants(const std::vector<MutantFigures>& mutants, bool markdown) {
  std::map<MutantKind, KindTotals> kinds;
  size_t not_compiled = 0;
  double build = 0;
  double select = 0;
  double test = 0;
  for (const MutantFigures& mutant : mutants) {
    build += mutant.build_cpu_seconds;
    select += mutant.select_cpu_seconds;
    test += mutant.test_cpu_seconds;
    if (!mutant.compiles) {
      ++not_compiled;
      continue;
    }
    KindTotals& totals = kinds[mutant.kind];
    ++totals.mutants;
    totals.racy += mutant.races > 0 ? 1 : 0;
    totals.races += mutant.races;
    totals.missed += mutant.missed.size();
    totals.failing += mutant.failures > 0 ? 1 : 0;
    totals.executed += mutant.executed;
    totals.selected += mutant.selected;
    totals.suite += mutant.suite;
  }
  Table table(
      {"mutants", "number", "with races", "races: all", "heddle", "other failures", "enter it", "selected"});
  for (const auto& [kind, totals] : kinds) {
    table.add({to_text(kind), fmt::format("{}", totals.mutants), fmt::format("{}", totals.racy),
               fmt::format("{}", totals.races), fmt::format("{}", totals.races - totals.missed),
               fmt::format("{}", totals.failing), share_of(totals.executed, totals.suite),
               share_of(totals.selected, totals.suite)});
  }
  return table.print(markdown) +
         fmt::format("{} more did not compile. CPU-seconds: {:.0f} builds, {:.0f} selections, {:.0f} tests\n",
                     not_compiled, build, select, test);
}

std::string print_missed(const std::vector<MutantFigures>& mutants) {
  std::string text;
  for (const MutantFigures& mutant : mutants) {
    for (const MissedRace& missed : mutant.missed)
      text += fmt::format("{}: {}\n    race {}\n    revealed by {}\n", mutant.subject, mutant.name(),
                          to_text(missed.race), shortened(missed.tests));
    for (const std::string& failure : mutant.missed_failures)
      text += fmt::format("{}: {}\n    {} (not a race)\n", mutant.subject, mutant.name(), failure);
  }
  return text;
}

Bar judge(const std::vector<MutantFigures>& mutants) {
  Bar bar{"the selected tests reveal every race of a mutant that all tests reveal", "",
          Verdict::kNotMeasured};
  size_t races = 0;
  size_t missed = 0;
  size_t compiled = 0;
  for (const MutantFigures& mutant : mutants) {
    races += mutant.races;
    missed += mutant.missed.size();
    compiled += mutant.compiles ? 1 : 0;
  }
  if (compiled == 0) return bar;
  bar.figure = fmt::format("{} of {} races of {} mutants", races - missed, races, compiled);
  bar.verdict = missed == 0 ? Verdict::kMet : Verdict::kNotMet;
  return bar;
}

}  // namespace heddle::bench
