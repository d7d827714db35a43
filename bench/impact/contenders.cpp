#include "contenders.h"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/process.h"

namespace heddle::bench {
namespace {

using nlohmann::json;

// A native run takes milliseconds: one that is not over by then never will be.
constexpr std::chrono::seconds kHangs{10};

struct Told {
  json result;
  double cpu_seconds = 0;
};

Expected<Told> run_heddle(const SearchOptions& options, const std::vector<std::string>& words,
                          const std::string& folder, const TestCommand* test = nullptr) {
  const std::filesystem::path file = options.folder / "result.json";
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  // What one way has found is no help to the next.
  std::filesystem::remove_all(options.folder / "failures", ignored);
  std::vector<std::string> argv = {options.heddle.string()};
  argv.insert(argv.end(), words.begin(), words.end());
  const auto end = std::ranges::find(argv, "--");
  argv.insert(end, {"--json", file.string(), "--output", (options.folder / "failures" / "").string()});
  if (test != nullptr) argv.insert(argv.end(), test->argv.begin(), test->argv.end());
  const Expected<EndedProcess> ended = run_to_end(argv, {.folder = folder});
  if (!ended) return tl::unexpected(ended.error());
  std::ifstream stream(file);
  json result = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (result.is_discarded()) return internal_error(fmt::format("`{}` wrote no result", fmt::join(argv, " ")));
  return Told{std::move(result), ended->usage.cpu_seconds};
}

bool is_confirmed(const json& finding) {
  return finding.value("confirmed", false) && finding.value("confirmation", "") != "benign";
}

bool has_confirmed(const json& findings) {
  return std::ranges::any_of(findings, is_confirmed);
}

// "stock.cpp:Stock::take" of the subject, "Stock::take(int)" of the finding.
bool is_in_functions(const json& finding, const std::vector<std::string>& functions) {
  return std::ranges::any_of(finding.at("sites"), [&](const json& site) {
    const std::string in = site.value("function", "");
    return std::ranges::any_of(functions, [&](const std::string& function) {
      const std::string name = function.substr(function.find(':') + 1);
      return in.find(name) != std::string::npos;
    });
  });
}

Search to_search(const Told& told) {
  return {.found = has_confirmed(told.result.at("findings")),
          .is_over = told.result.value("complete", true),
          .executions = told.result.value("executions", uint64_t{0}),
          .cpu_seconds = told.cpu_seconds};
}

}  // namespace

Expected<ImpactSearch> search_by_impact(const Bug& bug, const SearchOptions& options) {
  const Expected<Told> told =
      run_heddle(options,
                 {"impact", "--base", "base", "--head", "change/" + bug.change, "--store", bug.store.string(),
                  "--budget", options.budget, "--no-count", "--", bug.test},
                 bug.repository.string());
  if (!told) return tl::unexpected(told.error());
  // Once more for the number of all patterns, which nobody needs to find the bug.
  const Expected<Told> counted =
      run_heddle(options,
                 {"impact", "--base", "base", "--head", "change/" + bug.change, "--store", bug.store.string(),
                  "--budget", options.budget, "--", bug.test},
                 bug.repository.string());
  if (!counted) return tl::unexpected(counted.error());
  ImpactSearch search;
  static_cast<Search&>(search) = to_search(*told);
  const json& findings = told->result.at("findings");
  search.found = std::ranges::any_of(findings, [](const json& finding) {
    return finding.value("status", "") == "new" && is_confirmed(finding);
  });
  search.is_the_bug = std::ranges::any_of(findings, [&](const json& finding) {
    return finding.value("status", "") == "new" && is_confirmed(finding) &&
           is_in_functions(finding, bug.functions);
  });
  search.events = told->result.value("events", uint64_t{0});
  search.impacted = told->result.at("impacted").size();
  search.explored = counted->result.value("explored", uint64_t{0});
  search.explored_of = counted->result.value("explored_of", uint64_t{0});
  return search;
}

Expected<Search> search_by_prediction(const Bug& bug, const SearchOptions& options) {
  const Expected<Told> told = run_heddle(options, {"predict", "--no-store", "--budget", options.budget, "--"},
                                         bug.head.directory, &bug.head);
  if (!told) return tl::unexpected(told.error());
  return to_search(*told);
}

Expected<Search> search_at_random(const Bug& bug, const SearchOptions& options) {
  const Expected<Told> told = run_heddle(options,
                                         {"explore", "--strategy", "random", "--detect", "race", "--no-store",
                                          "--no-minimize", "--budget", options.budget, "--"},
                                         bug.head.directory, &bug.head);
  if (!told) return tl::unexpected(told.error());
  Search search = to_search(*told);
  search.is_over = search.found || search.is_over;
  for (const json& finding : told->result.at("findings"))
    search.executions = finding.value("executions_to_find", search.executions);
  return search;
}

Expected<Search> search_by_stress(const Bug& bug, const SearchOptions& options) {
  Search search;
  while (search.cpu_seconds < options.stress_seconds) {
    const Expected<EndedProcess> ended =
        run_to_end(bug.native.argv, {.folder = bug.native.directory, .timeout = kHangs});
    if (!ended) return tl::unexpected(ended.error());
    ++search.executions;
    search.cpu_seconds += ended->usage.cpu_seconds;
    if (ended->exit_code == 0 && !ended->timed_out) continue;
    search.found = true;
    return search;
  }
  search.is_over = false;
  return search;
}

}  // namespace heddle::bench
