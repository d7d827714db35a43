#include "tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/table.h"

namespace heddle::bench {
namespace {

std::string number(uint64_t value) {
  return std::to_string(value);
}

std::string seconds_text(double value) {
  return fmt::format("{:.2f}", value);
}

double in_seconds(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

// A lower bound has a sign.
std::string bounded(const SequenceFigures& figures, std::string text) {
  return figures.is_complete ? text : ">= " + text;
}

std::string first_shows(const FailureSearch& search) {
  if (search.failures.empty()) return search.has_bug ? "not found" : "nothing";
  if (search.starts_with_bug()) return "the bug";
  if (!search.has_bug) return "what is no bug";
  return search.first_of_bug() != nullptr ? "something else" : "something else only";
}

}  // namespace

std::string print_first_failures(const std::vector<FailureSearch>& searches, bool markdown) {
  Table table({"class", "first failing test shows", "kind", "CPU s", "wall s", "tests", "executions",
               "failing tests", "of them the bug", "CPU s: driver", "all"});
  for (const FailureSearch& search : searches) {
    const EmittedFailure* first = search.first_of_bug();
    if (first == nullptr && !search.failures.empty()) first = &search.failures.front();
    const auto of_first = [&](const auto& text) {
      return first == nullptr ? std::string("-") : text(*first);
    };
    const auto showing =
        static_cast<uint64_t>(std::ranges::count_if(search.failures, &EmittedFailure::is_the_bug));
    table.add({search.name, first_shows(search),
               of_first([](const EmittedFailure& failure) { return failure.kind; }),
               of_first([](const EmittedFailure& failure) { return seconds_text(failure.cpu_seconds); }),
               of_first([](const EmittedFailure& failure) { return seconds_text(failure.seconds); }),
               of_first([](const EmittedFailure& failure) { return number(failure.tests); }),
               of_first([](const EmittedFailure& failure) { return number(failure.executions); }),
               number(search.failures.size()), number(showing), seconds_text(search.driver_cpu_seconds),
               seconds_text(search.cpu_seconds)});
  }
  return table.print(markdown);
}

std::string print_failing_tests(const std::vector<FailureSearch>& searches) {
  std::string text;
  for (const FailureSearch& search : searches) {
    for (const EmittedFailure& failure : search.failures) {
      const bool is_doubtful = search.are_tests_executed && !failure.fails_again;
      text += fmt::format("* {}: {}{}: {}{}{} ({:.2f} CPU s{})\n", search.name,
                          failure.is_the_bug ? "" : "NOT THE BUG: ", failure.kind, failure.calls,
                          failure.message.empty() ? "" : ": ", failure.message, failure.cpu_seconds,
                          is_doubtful ? "; the written test was not seen to fail" : "");
    }
    if (!search.tests_trouble.empty()) text += fmt::format("* {}: {}\n", search.name, search.tests_trouble);
  }
  return text;
}

std::string print_tests(const std::vector<FailureSearch>& searches, bool markdown) {
  Table table({"class", "operations", "not usable", "sequences", "tests", "executions", "found", "feasible",
               "covered", "complete"});
  for (const FailureSearch& search : searches) {
    const generate::Requirements::Counts& requirements = search.status.requirements;
    table.add({search.name, number(search.operations), number(search.unusable),
               number(search.status.search.sequences), number(search.status.tests),
               number(search.status.executions), number(requirements.found),
               number(requirements.found - requirements.infeasible), number(requirements.covered),
               search.is_complete ? "yes" : "no"});
  }
  return table.print(markdown);
}

std::string print_code(const std::vector<FailureSearch>& searches, bool markdown) {
  Table table({"class", "failing tests", "lines", "passing tests", "lines", "lines: driver"});
  for (const FailureSearch& search : searches) {
    table.add({search.name, number(search.failures.size()), number(search.failing_lines),
               number(search.passing_tests), number(search.passing_lines), number(search.driver_lines)});
  }
  return table.print(markdown);
}

std::string print_coverage(const std::vector<CoverageFigures>& rows, const CoverageOptions& options,
                           bool markdown) {
  const std::vector<double> shares{0.1, 0.33, 1};
  const double heddle = in_seconds(options.heddle);
  const double random = in_seconds(options.random);
  std::vector<std::string> headings{"class"};
  for (const double share : shares) headings.push_back(fmt::format("heddle: {:.3g} s", share * heddle));
  headings.push_back(fmt::format("random: {:.3g} s", heddle));
  for (const double share : shares) headings.push_back(fmt::format("{:.3g} s", share * random));
  headings.insert(headings.end(),
                  {"of random's, heddle has", "tests: heddle", "random", "executions: heddle", "random"});
  Table table(headings);
  for (const CoverageFigures& row : rows) {
    std::vector<std::string> cells{row.name};
    for (const double share : shares) cells.push_back(number(row.heddle.covered_within(share * heddle)));
    cells.back() = number(row.heddle.status.requirements.covered);
    cells.push_back(number(row.random.covered_within(heddle)));
    for (const double share : shares) cells.push_back(number(row.random.covered_within(share * random)));
    cells.back() = number(row.random.status.requirements.covered);
    cells.push_back(number(row.covered_by_both));
    cells.push_back(number(row.heddle.status.tests));
    cells.push_back(number(row.random.status.tests));
    cells.push_back(number(row.heddle.status.executions));
    cells.push_back(number(row.random.status.executions));
    table.add(std::move(cells));
  }
  return table.print(markdown);
}

std::string print_pruning(const std::vector<PruningFigures>& rows, bool markdown) {
  Table table({"class", "sequences: on", "off", "fewer", "CPU s: on", "off", "calls that raise coverage: off",
               "of these, on has", "lost", "lost if all accesses count"});
  for (const PruningFigures& row : rows) {
    table.add({row.name, bounded(row.on, number(row.on.counts.sequences)),
               bounded(row.off, number(row.off.counts.sequences)),
               bounded(row.off, fmt::format("{:.1f}x", row.reduction())), seconds_text(row.on.cpu_seconds),
               bounded(row.off, seconds_text(row.off.cpu_seconds)),
               bounded(row.off, number(row.off.raises.size())), number(row.kept()),
               bounded(row.off, fmt::format("{:.1f}%", 100 * row.lost())),
               bounded(row.off, fmt::format("{:.1f}%", 100 * row.lost_exactly()))});
  }
  return table.print(markdown);
}

}  // namespace heddle::bench
