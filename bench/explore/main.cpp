// heddle-bench-explore: what each strategy needs to find the bugs of bench/subjects/explore, next to running
// them natively again and again. Prints one table for each of the paper's, and whether the bars are met.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "attempts.h"
#include "bars.h"
#include "catalogue.h"
#include "check.h"
#include "common/machine.h"
#include "tables.h"

namespace heddle::bench {
namespace {

const std::vector<std::string> kTables{"first-failure", "scaling", "rate"};
const std::vector<std::string> kStrategies{kStress,  "dfs",   "pcb:2", "delay:2", "dpor", "hapset",
                                           "random", "pct:3", "pos",   "surw",    "rf",   "auto"};
const std::vector<std::string> kScaledStrategies{"hapset", "rf", "auto", "dpor", "pcb:2", "random"};

struct Options {
  std::string heddle;
  std::string subjects = ".*";
  std::string strategies = ".*";
  std::vector<std::string> tables = kTables;
  AttemptLimits limits;
  uint64_t rate_executions = 10'000;
  bool markdown = false;
  bool quick = false;
  bool check = false;
};

// The tool lies in the same build tree: <build>/bench/explore/<this> and <build>/bin/heddle.
std::string default_heddle() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return self.parent_path().parent_path().parent_path() / "bin/heddle";
}

class Benchmark {
 public:
  Benchmark(const Options& options, Catalogue catalogue)
      : options_(options),
        catalogue_(std::move(catalogue)),
        attempts_(options.heddle, HEDDLE_BENCH_SUBJECTS, options.limits) {}

  Expected<bool> run() {
    if (options_.check) return check_subjects(small_ones(), attempts_);
    for (const std::string& line : describe_machine({HEDDLE_BENCH_GCC})) {
      fmt::print("{}{}\n", options_.markdown ? "* " : "", line);
    }
    for (const std::string& table : options_.tables) {
      const Expected<void> done = table == "first-failure" ? first_failures()
                                  : table == "scaling"     ? scaling()
                                                           : rates();
      if (!done) return tl::unexpected(done.error());
    }
    const std::vector<Bar> bars = judge(results_);
    print("Bars", print_bars(bars, options_.markdown));
    if (options_.quick) return is_sound(results_);
    return std::ranges::none_of(bars, [](const Bar& bar) { return bar.verdict == Verdict::kNotMet; });
  }

 private:
  Expected<void> first_failures() {
    const std::vector<std::string> strategies = wanted(kStrategies);
    Expected<ResultRows> rows = measure_all(catalogue_.runs, strategies, to_first_failure());
    if (!rows) return tl::unexpected(rows.error());
    print("Executions to the first failure (>N: none in N; over N: the search ended without one)",
          print_executions(*rows, strategies, options_.markdown));
    print("CPU-seconds to the first failure", print_cpu_seconds(*rows, strategies, options_.markdown));
    results_.first_failures = std::move(*rows);
    return {};
  }

  Expected<void> scaling() {
    const std::vector<std::string> strategies = wanted(kScaledStrategies);
    for (const ScaledSubject& subject : catalogue_.scaled) {
      Expected<ResultRows> rows = measure_all(subject.runs, strategies, to_first_failure());
      if (!rows) return tl::unexpected(rows.error());
      std::ranges::move(*rows, std::back_inserter(results_.scaling));
    }
    print("Executions to the first failure, by the number of threads",
          print_executions(results_.scaling, strategies, options_.markdown));
    print("CPU-seconds to the first failure, by the number of threads",
          print_cpu_seconds(results_.scaling, strategies, options_.markdown));
    return {};
  }

  Expected<void> rates() {
    std::vector<std::string> strategies = wanted(kStrategies);
    std::erase(strategies, kStress);
    const Measure measure = [this](const SubjectRun& run, const std::string& strategy) {
      return attempts_.of_fixed(run, strategy, options_.rate_executions);
    };
    Expected<ResultRows> rows = measure_all(small_ones(), strategies, measure);
    if (!rows) return tl::unexpected(rows.error());
    print("Executions of the correct versions per CPU-second (in brackets: the search was over too soon)",
          print_rates(*rows, strategies, options_.markdown));
    results_.rates = std::move(*rows);
    return {};
  }

  std::vector<SubjectRun> small_ones() const {
    std::vector<SubjectRun> result;
    std::ranges::copy_if(catalogue_.runs, std::back_inserter(result), &SubjectRun::is_small);
    return result;
  }

  Measure to_first_failure() const {
    return [this](const SubjectRun& run, const std::string& strategy) {
      return attempts_.to_first_failure(run, strategy);
    };
  }

  std::vector<std::string> wanted(const std::vector<std::string>& strategies) const {
    const std::regex pattern(options_.strategies);
    std::vector<std::string> result;
    std::ranges::copy_if(strategies, std::back_inserter(result),
                         [&](const std::string& each) { return std::regex_match(each, pattern); });
    return result;
  }

  void print(const std::string& title, const std::string& table) const {
    fmt::print("\n{}{}\n{}{}", options_.markdown ? "### " : "", title, options_.markdown ? "\n" : "", table);
    std::fflush(stdout);
  }

  const Options& options_;
  const Catalogue catalogue_;
  const Attempts attempts_;
  Results results_;
};

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  Options options;
  options.heddle = default_heddle();
  CLI::App app("Measures how many executions and CPU-seconds each strategy needs to the first failure");
  app.add_option("--subjects", options.subjects, "Which subjects: a regular expression for the whole name")
      ->capture_default_str();
  app.add_option("--strategies", options.strategies, "Which strategies, in the same way")
      ->capture_default_str();
  app.add_option("--tables", options.tables, "Which tables, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(kTables))
      ->capture_default_str();
  app.add_option("--max-executions", options.limits.executions, "Limit of one attempt")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--budget", options.limits.seconds, "Limit of one attempt, in seconds of wall clock")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seeds", options.limits.seeds, "Attempts of a strategy that is random; the median counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--stress-runs", options.limits.stress_runs, "Native runs")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rate-executions", options.rate_executions, "Executions that a rate is measured by")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--heddle", options.heddle, "The heddle binary to measure")->capture_default_str();
  app.add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  app.add_flag("--quick", options.quick,
               "A hundredth of the work, and no judgement: tests the benchmark itself");
  app.add_flag("--check", options.check,
               "Only see whether each subject fails as it says, and its correct version does not");
  CLI11_PARSE(app, argc, argv);
  options.heddle = std::filesystem::absolute(options.heddle);
  if (options.check) options.limits.seeds = 1;
  if (options.quick) {
    options.limits = {.executions = 100, .seconds = 2, .stress_runs = 10, .seeds = 1};
    options.rate_executions = 100;
  }

  heddle::Expected<Catalogue> catalogue = read_catalogue(HEDDLE_BENCH_SUBJECT_SOURCES, options.subjects);
  if (!catalogue) {
    fmt::print(stderr, "heddle-bench-explore: {}\n", catalogue.error().message);
    return 2;
  }
  const heddle::Expected<bool> good = Benchmark(options, std::move(*catalogue)).run();
  if (!good) {
    fmt::print(stderr, "heddle-bench-explore: {}\n", good.error().message);
    return 3;
  }
  return *good ? 0 : 1;
}
