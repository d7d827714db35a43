#include "json.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::bench {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const generate::Requirements::Counts& counts) {
  return {{"found", counts.found}, {"covered", counts.covered}, {"infeasible", counts.infeasible}};
}

ordered_json to_json(const generate::GeneratorStatus& status) {
  return {{"sequences", status.search.sequences},
          {"tests", status.tests},
          {"executions", status.executions},
          {"failures", status.failures},
          {"seconds", status.seconds},
          {"requirements", to_json(status.requirements)}};
}

ordered_json to_json(const EmittedFailure& failure) {
  return {{"kind", failure.kind},
          {"message", failure.message},
          {"calls", failure.calls},
          {"is_the_bug", failure.is_the_bug},
          {"cpu_seconds", failure.cpu_seconds},
          {"seconds", failure.seconds},
          {"tests", failure.tests},
          {"executions", failure.executions},
          {"fails_again", failure.fails_again}};
}

ordered_json to_json(const FailureSearch& search) {
  ordered_json told = {{"class", search.name},
                       {"has_bug", search.has_bug},
                       {"race_free", search.is_race_free},
                       {"driver_cpu_seconds", search.driver_cpu_seconds},
                       {"operations", search.operations},
                       {"unusable", search.unusable},
                       {"cpu_seconds", search.cpu_seconds},
                       {"complete", search.is_complete},
                       {"status", to_json(search.status)},
                       {"passing_tests", search.passing_tests},
                       {"lines",
                        {{"failing_tests", search.failing_lines},
                         {"passing_tests", search.passing_lines},
                         {"driver", search.driver_lines}}},
                       {"tests_executed", search.are_tests_executed},
                       {"tests_trouble", search.tests_trouble},
                       {"failures", ordered_json::array()}};
  for (const EmittedFailure& failure : search.failures) told["failures"].push_back(to_json(failure));
  return told;
}

ordered_json to_json(const CoverageGrowth& growth) {
  ordered_json told = {{"status", to_json(growth.status)}, {"points", ordered_json::array()}};
  for (const CoveragePoint& point : growth.points) told["points"].push_back({point.seconds, point.covered});
  return told;
}

ordered_json to_json(const CoverageFigures& figures) {
  return {{"class", figures.name},
          {"heddle", to_json(figures.heddle)},
          {"random", to_json(figures.random)},
          {"covered_by_both", figures.covered_by_both},
          {"lacking", figures.lacking}};
}

ordered_json to_json(const SequenceFigures& figures) {
  return {{"sequences", figures.counts.sequences},
          {"raising_calls", figures.counts.raising_calls},
          {"states", figures.counts.states},
          {"cpu_seconds", figures.cpu_seconds},
          {"complete", figures.is_complete}};
}

ordered_json to_json(const PruningFigures& figures) {
  return {{"class", figures.name}, {"on", to_json(figures.on)}, {"off", to_json(figures.off)}};
}

ordered_json to_json(const Bar& bar) {
  return {{"demand", bar.demand}, {"figure", bar.figure}, {"verdict", to_text(bar.verdict)}};
}

ordered_json to_json(const GenerateSettings& settings) {
  return {{"seed", settings.failures.seed},
          {"budget_ms", settings.failures.budget.count()},
          {"coverage_ms", settings.coverage.heddle.count()},
          {"random_ms", settings.coverage.random.count()},
          {"pruning_depth", settings.pruning.depth},
          {"pruning_ms", settings.pruning.limit.count()}};
}

template <class Row>
ordered_json list_of(const std::vector<Row>& rows) {
  ordered_json list = ordered_json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  return list;
}

}  // namespace

Expected<void> write_json(const std::filesystem::path& file, const GenerateFigures& figures,
                          const GenerateSettings& settings, const std::vector<Bar>& bars) {
  const ordered_json told = {{"settings", to_json(settings)},
                             {"failures", list_of(figures.failures)},
                             {"coverage", list_of(figures.coverage)},
                             {"pruning", list_of(figures.pruning)},
                             {"bars", list_of(bars)},
                             {"troubles", figures.troubles}};
  std::ofstream stream(file, std::ios::binary);
  stream << told.dump(1) << '\n';
  if (!stream.flush()) return usage_error(fmt::format("cannot write {}", file.string()));
  return {};
}

}  // namespace heddle::bench
