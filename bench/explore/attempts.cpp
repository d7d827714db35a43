#include "attempts.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/process.h"
#include "common/temporary_folder.h"

namespace heddle::bench {
namespace {

// A native run takes milliseconds.
constexpr std::chrono::seconds kHangsNatively{2};
// heddle keeps its budget, but for what it does before and after; beyond that it is stuck.
constexpr std::chrono::seconds kGrace{60};

bool draws_numbers(const std::string& strategy) {
  const std::string name = strategy.substr(0, strategy.find(':'));
  static const std::vector<std::string> all{"random", "pct", "pos", "surw", "rf", "auto"};
  return std::ranges::find(all, name) != all.end();
}

// By what it took to the failure; attempts without one come last.
bool is_better(const Attempt& one, const Attempt& other) {
  if (one.found() != other.found()) return one.found();
  return one.executions < other.executions;
}

Attempt broken(std::string problem, double cpu_seconds) {
  return {.end = AttemptEnd::kBroken, .cpu_seconds = cpu_seconds, .problem = std::move(problem)};
}

}  // namespace

Expected<Attempt> Attempts::to_first_failure(const SubjectRun& run, const std::string& strategy) const {
  if (strategy == kStress) return stress(run);
  std::vector<Attempt> attempts;
  const uint64_t seeds = draws_numbers(strategy) ? limits_.seeds : 1;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    Expected<Attempt> attempt =
        explore(run, {.strategy = strategy, .seed = seed, .executions = limits_.executions});
    if (!attempt || attempt->end == AttemptEnd::kBroken) return attempt;
    attempts.push_back(std::move(*attempt));
  }
  std::ranges::sort(attempts, is_better);
  return attempts[attempts.size() / 2];
}

Expected<Attempt> Attempts::of_fixed(const SubjectRun& run, const std::string& strategy,
                                     uint64_t executions) const {
  Expected<Attempt> attempt = explore(run, {.strategy = strategy, .executions = executions, .fixed = true});
  if (attempt && attempt->found()) {
    return broken(fmt::format("the correct version fails: {}", attempt->kind), attempt->cpu_seconds);
  }
  return attempt;
}

std::vector<std::string> Attempts::command(const SubjectRun& run, const char* build, bool fixed) const {
  std::vector<std::string> words{fmt::format("{}/{}.{}", subjects_, run.subject, build)};
  if (!run.word.empty()) words.push_back(run.word);
  if (fixed) words.push_back("--fixed");
  return words;
}

Expected<Attempt> Attempts::explore(const SubjectRun& run, const Exploration& exploration) const {
  // heddle remembers tests by the folder it is called in; each attempt shall begin with nothing.
  const TemporaryFolder folder;
  const std::string result_file = folder.file("result.json");
  std::vector<std::string> words{heddle_,
                                 "explore",
                                 "--strategy",
                                 exploration.strategy,
                                 "--seed",
                                 std::to_string(exploration.seed),
                                 "--max-executions",
                                 std::to_string(exploration.executions),
                                 "--budget",
                                 fmt::format("{}s", limits_.seconds),
                                 "--no-minimize",
                                 "--json",
                                 result_file,
                                 "--"};
  const std::vector<std::string> subject = command(run, "tsan", exploration.fixed);
  words.insert(words.end(), subject.begin(), subject.end());

  const std::chrono::seconds budget(limits_.seconds);
  const Expected<EndedProcess> ended =
      run_to_end(words, {.folder = folder.path(), .timeout = budget + kGrace});
  if (!ended) return tl::unexpected(ended.error());
  const double cpu_seconds = ended->usage.cpu_seconds;
  if (ended->timed_out) return broken("heddle did not keep its budget", cpu_seconds);
  if (ended->exit_code != 0 && ended->exit_code != 1) {
    return broken(ended->exit_code ? fmt::format("heddle failed: exit code {}", *ended->exit_code)
                                   : std::string("heddle was ended by a signal"),
                  cpu_seconds);
  }
  const nlohmann::json result = nlohmann::json::parse(std::ifstream(result_file), nullptr, false);
  if (result.is_discarded()) return internal_error(fmt::format("{} is no JSON", result_file));

  Attempt attempt;
  attempt.cpu_seconds = cpu_seconds;
  const uint64_t executions = result.at("executions");
  attempt.executions = executions + result.value("learning_executions", uint64_t{0});
  if (!result.at("findings").empty()) {
    const nlohmann::json& finding = result.at("findings").at(0);
    attempt.end = AttemptEnd::kFound;
    attempt.kind = finding.at("kind");
    attempt.executions = finding.at("executions_to_find");
    if (!exploration.fixed && std::ranges::find(run.kinds, attempt.kind) == run.kinds.end()) {
      return broken(fmt::format("fails as {} ({}), and not as {}", attempt.kind,
                                finding.at("message").get<std::string>(), fmt::join(run.kinds, " or ")),
                    cpu_seconds);
    }
  } else if (executions < exploration.executions && result.at("seconds").get<double>() < budget.count()) {
    attempt.end = AttemptEnd::kOver;
  }
  return attempt;
}

Expected<Attempt> Attempts::stress(const SubjectRun& run) const {
  const std::vector<std::string> words = command(run, "native", false);
  Attempt attempt;
  while (attempt.executions < limits_.stress_runs && !attempt.found()) {
    const Expected<EndedProcess> ended = run_to_end(words, {.timeout = kHangsNatively});
    if (!ended) return tl::unexpected(ended.error());
    ++attempt.executions;
    attempt.cpu_seconds += ended->usage.cpu_seconds;
    if (ended->timed_out || ended->exit_code != 0) attempt.end = AttemptEnd::kFound;
  }
  return attempt;
}

}  // namespace heddle::bench
