#include "tables.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/table.h"

namespace heddle::bench {
namespace {

constexpr size_t kNamesShown = 3;
constexpr size_t kTroublesShown = 5;

std::string seconds(double value) {
  return fmt::format("{:.1f}", value);
}

std::string score(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

std::string of_all(size_t found, size_t all) {
  return found == all ? fmt::format("{}", found) : fmt::format("{} (-{})", found, all - found);
}

}  // namespace

std::string shortened(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kNamesShown);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string share_of(size_t part, size_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f}%", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string print_efficiency(const std::vector<ChangeFigures>& rows, bool markdown) {
  Table table({"subject", "tests", "CPU s", "classic", "share", "CPU s", "heddle", "share", "CPU s"});
  for (const ChangeFigures& row : rows) {
    table.add({row.name(), fmt::format("{}", row.all.tests), seconds(row.all.cpu_seconds),
               fmt::format("{}", row.classic.tests), share_of(row.classic.tests, row.all.tests),
               seconds(row.classic.cpu_seconds), fmt::format("{}", row.heddle.tests),
               share_of(row.heddle.tests, row.all.tests), seconds(row.heddle.cpu_seconds)});
  }
  return table.print(markdown);
}

std::string print_effectiveness(const std::vector<ChangeFigures>& rows, bool markdown) {
  Table table({"subject", "potential: all", "classic", "heddle", "real: all", "classic", "heddle",
               "pairs of functions", "racy tests: all", "heddle"});
  for (const ChangeFigures& row : rows) {
    table.add({row.name(), fmt::format("{}", row.all.pairs), of_all(row.classic.pairs, row.all.pairs),
               of_all(row.heddle.pairs, row.all.pairs), fmt::format("{}", row.all.races),
               of_all(row.classic.races, row.all.races), of_all(row.heddle.races, row.all.races),
               fmt::format("{}", row.function_pairs), fmt::format("{}", row.all.racy_tests),
               of_all(row.heddle.racy_tests, row.all.racy_tests)});
  }
  return table.print(markdown);
}

std::string print_apfd(const std::vector<ChangeFigures>& rows, bool markdown) {
  Table table({"subject", "selected: heddle", "blocks", "random", "all: heddle", "blocks", "random"});
  for (const ChangeFigures& row : rows) {
    table.add({row.name(), score(row.selected.heddle), score(row.selected.blocks), score(row.selected.random),
               score(row.suite.heddle), score(row.suite.blocks), score(row.suite.random)});
  }
  return table.print(markdown);
}

std::string print_ablation(const std::vector<ChangeFigures>& rows, bool markdown) {
  Table table({"subject", "heddle", "without threads", "saved"});
  for (const ChangeFigures& row : rows) {
    const size_t without = row.without_threads.tests;
    table.add({row.name(), fmt::format("{}", row.heddle.tests), fmt::format("{}", without),
               share_of(without - std::min(without, row.heddle.tests), without)});
  }
  return table.print(markdown);
}

std::string print_analysis(const std::vector<ChangeFigures>& rows, bool markdown) {
  Table table(
      {"subject", "analysis CPU s", "testing CPU s", "of that", "of few schedules", "of those selected"});
  for (const ChangeFigures& row : rows) {
    table.add({row.name(), fmt::format("{:.2f}", row.analysis_cpu_seconds), seconds(row.testing_cpu_seconds),
               fmt::format("{:.2f}%", row.analysis_share()),
               fmt::format("{:.2f}%", row.analysis_share_of_few_schedules()),
               fmt::format("{:.2f}%", row.analysis_share_of_selected())});
  }
  return table.print(markdown);
}

std::string print_missed(const std::vector<ChangeFigures>& rows) {
  std::string text;
  for (const ChangeFigures& row : rows)
    for (const MissedRace& missed : row.missed)
      text += fmt::format("{}: {}\n    revealed by {}\n", row.name(), to_text(missed.race),
                          shortened(missed.tests));
  return text;
}

std::string print_troubles(const std::vector<ChangeFigures>& rows) {
  std::string text;
  for (const ChangeFigures& row : rows) {
    for (size_t i = 0; i < std::min(row.troubles.size(), kTroublesShown); ++i)
      text += fmt::format("{}: {}\n", row.name(), row.troubles[i]);
    if (row.troubles.size() > kTroublesShown)
      text += fmt::format("{}: {} tests more\n", row.name(), row.troubles.size() - kTroublesShown);
  }
  return text;
}

}  // namespace heddle::bench
