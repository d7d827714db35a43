#include "tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/median.h"
#include "common/table.h"

namespace heddle::bench {
namespace {

// Stress must take so many times as many executions, if it finds the bug at all.
constexpr double kFewerExecutions = 10'000;

std::string share(uint64_t part, uint64_t of) {
  return of == 0 ? "-" : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(of));
}

std::string executions(const Search& search) {
  if (search.found) return std::to_string(search.executions);
  return fmt::format("not in {}", search.executions);
}

bool is_beaten(const BugFigures& bug) {
  return !bug.stress.found || static_cast<double>(bug.stress.executions) >=
                                  kFewerExecutions * static_cast<double>(bug.impact.executions);
}

Bar bar(std::string demand, std::string figure, bool is_met) {
  return {std::move(demand), std::move(figure), is_met ? Verdict::kMet : Verdict::kNotMet};
}

// "11 of 12, not a, b".
std::string all_but(const std::vector<BugFigures>& bugs, bool (*holds)(const BugFigures&)) {
  std::string others;
  size_t holding = 0;
  for (const BugFigures& bug : bugs) {
    if (holds(bug)) {
      ++holding;
    } else {
      others += (others.empty() ? ", not " : ", ") + bug.name;
    }
  }
  return fmt::format("{} of {}{}", holding, bugs.size(), others);
}

}  // namespace

double BugFigures::reduction() const {
  return static_cast<double>(impact.explored_of) /
         static_cast<double>(std::max<uint64_t>(1, impact.explored));
}

std::string print_impact(const std::vector<BugFigures>& bugs, bool markdown) {
  Table table({"bug", "kind", "events", "impacted", "share", "patterns: all", "impact", "fewer"});
  for (const BugFigures& bug : bugs) {
    const ImpactSearch& impact = bug.impact;
    table.add({bug.name, bug.kind, std::to_string(impact.events), std::to_string(impact.impacted),
               share(impact.impacted, impact.events), std::to_string(impact.explored_of),
               std::to_string(impact.explored), fmt::format("{:.1f}x", bug.reduction())});
  }
  return table.print(markdown);
}

std::string print_searches(const std::vector<BugFigures>& bugs, bool markdown) {
  Table table({"bug", "executions: impact", "predict", "random", "stress", "CPU s: impact", "predict",
               "random", "stress"});
  for (const BugFigures& bug : bugs) {
    std::vector<std::string> cells{bug.name};
    const std::vector<const Search*> searches{&bug.impact, &bug.prediction, &bug.random, &bug.stress};
    for (const Search* search : searches) cells.push_back(executions(*search));
    for (const Search* search : searches) cells.push_back(fmt::format("{:.2f}", search->cpu_seconds));
    table.add(std::move(cells));
  }
  return table.print(markdown);
}

std::vector<Bar> bars(const std::vector<BugFigures>& bugs, const std::optional<Usage>& long_traces) {
  std::vector<Bar> all;
  if (!bugs.empty()) {
    const auto is_found = [](const BugFigures& bug) { return bug.impact.found && bug.impact.is_the_bug; };
    all.push_back(bar("impact finds and confirms every bug", all_but(bugs, is_found),
                      std::ranges::all_of(bugs, is_found)));
    std::vector<double> reductions;
    for (const BugFigures& bug : bugs) reductions.push_back(bug.reduction());
    const double reduction = median(reductions);
    all.push_back(bar("at least 20 times fewer patterns explored, in the median",
                      fmt::format("{:.1f} times", reduction), reduction >= 20));
    all.push_back(bar("10,000 times fewer executions than native stress, or stress never finds it",
                      all_but(bugs, is_beaten), std::ranges::all_of(bugs, is_beaten)));
  }
  if (long_traces) {
    const double gigabytes = static_cast<double>(long_traces->max_rss_kb) / (1 << 20);
    all.push_back(bar("a pair of long traces in at most 10 CPU-seconds and 2 GB",
                      fmt::format("{:.1f} s, {:.2f} GB", long_traces->cpu_seconds, gigabytes),
                      long_traces->cpu_seconds <= 10 && gigabytes <= 2));
  }
  return all;
}

}  // namespace heddle::bench
