#include "told.h"

#include <algorithm>
#include <iterator>

namespace heddle::bench {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const MethodFigures& method) {
  return {{"tests", method.tests},
          {"cpu_seconds", method.cpu_seconds},
          {"potential_races", method.pairs},
          {"races", method.races},
          {"racy_tests", method.racy_tests}};
}

ordered_json to_json(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json to_json(const ApfdFigures& apfd) {
  return {
      {"heddle", to_json(apfd.heddle)}, {"blocks", to_json(apfd.blocks)}, {"random", to_json(apfd.random)}};
}

ordered_json to_json(const RaceSite& site) {
  return {{"file", site.file}, {"line", site.line}, {"function", site.function}};
}

ordered_json to_json(const std::vector<MissedRace>& missed) {
  ordered_json told = ordered_json::array();
  for (const MissedRace& one : missed)
    told.push_back(
        {{"first", to_json(one.race.first)}, {"second", to_json(one.race.second)}, {"tests", one.tests}});
  return told;
}

RaceSite site_from(const nlohmann::json& told) {
  return {told.at("file"), told.at("line"), told.at("function")};
}

}  // namespace

ordered_json to_json(const ChangeFigures& figures) {
  return {{"subject", figures.subject},
          {"change", figures.change},
          {"all", to_json(figures.all)},
          {"classic", to_json(figures.classic)},
          {"heddle", to_json(figures.heddle)},
          {"without_threads", to_json(figures.without_threads)},
          {"function_pairs", figures.function_pairs},
          {"apfd_selected", to_json(figures.selected)},
          {"apfd_all", to_json(figures.suite)},
          {"analysis_cpu_seconds", figures.analysis_cpu_seconds},
          {"testing_cpu_seconds", figures.testing_cpu_seconds},
          {"missed", to_json(figures.missed)},
          {"troubles", figures.troubles}};
}

ordered_json to_json(const MutantFigures& figures) {
  return {{"subject", figures.subject},
          {"kind", to_text(figures.kind)},
          {"file", figures.file},
          {"line", figures.line},
          {"what", figures.what},
          {"compiles", figures.compiles},
          {"tests", figures.suite},
          {"executed", figures.executed},
          {"selected", figures.selected},
          {"races", figures.races},
          {"failures", figures.failures},
          {"missed", to_json(figures.missed)},
          {"missed_failures", figures.missed_failures},
          {"build_cpu_seconds", figures.build_cpu_seconds},
          {"select_cpu_seconds", figures.select_cpu_seconds},
          {"test_cpu_seconds", figures.test_cpu_seconds}};
}

ordered_json to_json(const std::vector<Bar>& bars) {
  ordered_json told = ordered_json::array();
  for (const Bar& bar : bars)
    told.push_back({{"demand", bar.demand}, {"figure", bar.figure}, {"verdict", to_text(bar.verdict)}});
  return told;
}

std::optional<MutantFigures> mutant_from(const nlohmann::json& told) {
  try {
    MutantFigures figures;
    const std::string kind = told.at("kind");
    const auto known =
        std::ranges::find_if(kMutantKinds, [&](MutantKind each) { return kind == to_text(each); });
    if (known == kMutantKinds.end()) return std::nullopt;
    figures.subject = told.at("subject");
    figures.kind = *known;
    figures.file = told.at("file");
    figures.line = told.at("line");
    figures.what = told.at("what");
    figures.compiles = told.at("compiles");
    figures.suite = told.at("tests");
    figures.executed = told.at("executed");
    figures.selected = told.at("selected");
    figures.races = told.at("races");
    figures.failures = told.at("failures");
    for (const nlohmann::json& one : told.at("missed"))
      figures.missed.push_back({{site_from(one.at("first")), site_from(one.at("second"))}, one.at("tests")});
    figures.missed_failures = told.at("missed_failures").get<std::vector<std::string>>();
    figures.build_cpu_seconds = told.at("build_cpu_seconds");
    figures.select_cpu_seconds = told.at("select_cpu_seconds");
    figures.test_cpu_seconds = told.at("test_cpu_seconds");
    return figures;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace heddle::bench
