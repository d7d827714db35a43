#include "outcome_store.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/interruption.h"

namespace heddle::bench {
namespace {

using nlohmann::json;

// Of what an outcome says; a file of another one is of no use.
constexpr int kFormat = 1;

json to_list(const RaceSite& site) {
  return json::array({site.file, site.line, site.function});
}

RaceSite site_from_list(const json& told) {
  return {told.at(0), told.at(1), told.at(2)};
}

std::string heading_of(const ProjectBuild& build, const TrialPlan& plan) {
  return json({{"format", kFormat},
               {"tree", fmt::format("{:016x}", build.revision.content)},
               {"seeds", plan.seeds},
               {"lines", plan.with_lines ? "not alone" : "none"}})
      .dump();
}

TestOutcomes read_known(const std::filesystem::path& file, const std::string& heading) {
  TestOutcomes known;
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line) || line != heading) return known;
  while (std::getline(stream, line))
    if (std::optional<TestOutcome> outcome = from_line(line))
      known.insert_or_assign(outcome->test, std::move(*outcome));
  return known;
}

}  // namespace

std::string to_line(const TestOutcome& outcome) {
  json told = {{"test", outcome.test},
               {"cpu", outcome.cpu_seconds},
               {"executions", outcome.executions},
               {"failures", outcome.failures},
               {"trouble", outcome.trouble}};
  told["races"] = json::array();
  for (const Race& race : outcome.races) told["races"].push_back({to_list(race.first), to_list(race.second)});
  if (!outcome.lines.empty()) told["lines"] = outcome.lines;
  return told.dump();
}

std::optional<TestOutcome> from_line(const std::string& line) {
  const json told = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!told.is_object()) return std::nullopt;
  try {
    TestOutcome outcome;
    outcome.test = told.at("test");
    outcome.cpu_seconds = told.at("cpu");
    outcome.executions = told.at("executions");
    outcome.failures = told.at("failures").get<std::set<std::string>>();
    outcome.trouble = told.at("trouble");
    for (const json& race : told.at("races"))
      outcome.races.insert({site_from_list(race.at(0)), site_from_list(race.at(1))});
    if (told.contains("lines"))
      outcome.lines = told.at("lines").get<std::map<std::string, std::set<uint32_t>>>();
    return outcome;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

Expected<TestOutcomes> outcomes_of(const ProjectBuild& build, const std::vector<const SuiteTest*>& tests,
                                   const TrialPlan& plan, const std::filesystem::path& file,
                                   const OutcomeListener& listener) {
  const std::string heading = heading_of(build, plan);
  TestOutcomes known = read_known(file, heading);
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  // Written again as a whole: its last line may be half of one.
  std::ofstream stream(file, std::ios::trunc);
  stream << heading << '\n';
  for (const auto& [name, outcome] : known) stream << to_line(outcome) << '\n';
  TestExecutor executor(build.source, build.folder, plan);
  TestOutcomes wanted;
  for (size_t i = 0; i < tests.size(); ++i) {
    const auto found = known.find(tests[i]->name);
    if (found != known.end()) {
      wanted.insert(*found);
      continue;
    }
    if (was_interrupted()) return usage_error("interrupted; the next run goes on from here");
    if (listener) listener(i + 1, tests.size());
    TestOutcome outcome = executor.run(*tests[i]);
    if (was_interrupted()) return usage_error("interrupted; the next run goes on from here");
    stream << to_line(outcome) << std::endl;
    if (!stream) return internal_error(fmt::format("cannot write {}", file.string()));
    wanted.insert_or_assign(outcome.test, std::move(outcome));
  }
  return wanted;
}

}  // namespace heddle::bench
