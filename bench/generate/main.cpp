// heddle-bench-generate: how `heddle generate` finds the bugs of bench/subjects/generate, what it covers next
// to random tests, and what its prunings are worth, all in one run.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bars.h"
#include "common/machine.h"
#include "json.h"
#include "support/interruption.h"
#include "tables.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kTables{"failures", "coverage", "pruning"};

struct Options {
  std::vector<std::string> only;  // empty: all
  std::vector<std::string> tables = kTables;
  std::string folder = HEDDLE_BENCH_SUBJECTS;
  std::string work;
  std::string json;
  double budget = 60;
  double check_budget = 60;
  double coverage_seconds = 15;
  double random_minutes = 10;
  size_t pruning_depth = 4;
  double pruning_seconds = 60;
  uint64_t seed = 1;
  bool keeps_drivers = false;
  bool keeps_random = false;
  bool markdown = false;
};

std::chrono::milliseconds seconds(double count) {
  return std::chrono::milliseconds(static_cast<int64_t>(count * 1000));
}

// This program lies in the same build tree as the tool: <build>/bench/generate/<this> and <build>/bin/heddle.
fs::path build_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

GenerateSettings settings_of(const Options& options) {
  return {.failures = {.budget = seconds(options.budget),
                       .check_budget = seconds(options.check_budget),
                       .seed = options.seed,
                       .compilers = build_folder() / "bin",
                       .includes = HEDDLE_BENCH_INCLUDES,
                       .runtime = build_folder() / "lib" / "heddle"},
          .coverage = {.heddle = seconds(options.coverage_seconds),
                       .random = seconds(60 * options.random_minutes),
                       .seed = options.seed,
                       .keeps_random = options.keeps_random},
          .pruning = {.depth = options.pruning_depth, .limit = seconds(options.pruning_seconds)}};
}

class Benchmark {
 public:
  explicit Benchmark(const Options& options) : options_(options), settings_(settings_of(options)) {}

  void measure(const ClassSubject& subject) {
    progress(subject, "driver");
    const Expected<PreparedSubject> prepared = prepare(subject, {.work = fs::absolute(options_.work),
                                                                 .compilers = settings_.failures.compilers,
                                                                 .keeps_drivers = options_.keeps_drivers});
    if (!prepared) return add_trouble(subject, "driver", prepared.error());
    measure_with("failures", subject, &figures_.failures,
                 [&] { return search_failures(*prepared, settings_.failures); });
    measure_with("coverage", subject, &figures_.coverage,
                 [&] { return compare_coverage(*prepared, settings_.coverage); });
    measure_with("pruning", subject, &figures_.pruning,
                 [&] { return compare_pruning(*prepared, settings_.pruning); });
  }

  void print() const {
    for (const std::string& line : describe_machine({"g++", "clang-19"}))
      fmt::print("{}{}\n", options_.markdown ? "* " : "", line);
    fmt::print("{}budget of a class: {} s; seed {}\n", options_.markdown ? "* " : "", options_.budget,
               options_.seed);
    if (!figures_.failures.empty()) {
      section("Time to the first failing test", print_first_failures(figures_.failures, options_.markdown));
      section("Failing tests", print_failing_tests(figures_.failures));
      section("Tests and interleaving requirements", print_tests(figures_.failures, options_.markdown));
      section("Generated code", print_code(figures_.failures, options_.markdown));
    }
    if (!figures_.coverage.empty())
      section(fmt::format("Interleaving requirements covered: generate in {} s, random tests in {} minutes",
                          options_.coverage_seconds, options_.random_minutes),
              print_coverage(figures_.coverage, settings_.coverage, options_.markdown));
    if (!figures_.pruning.empty())
      section(fmt::format("Pruning on and off: sequences of at most {} calls, at most {} s each",
                          options_.pruning_depth, options_.pruning_seconds),
              print_pruning(figures_.pruning, options_.markdown));
    section("Bars", print_bars(bars(figures_, settings_), options_.markdown));
    for (const std::string& trouble : figures_.troubles) fmt::print("not measured: {}\n", trouble);
  }

  Expected<void> write() const {
    if (options_.json.empty()) return {};
    return write_json(options_.json, figures_, settings_, bars(figures_, settings_));
  }

  bool is_all_measured() const { return figures_.troubles.empty(); }

 private:
  static void progress(const ClassSubject& subject, const std::string& what) {
    fmt::print(stderr, "{}: {}\n", subject.name, what);
  }

  void add_trouble(const ClassSubject& subject, const std::string& what, const Error& error) {
    figures_.troubles.push_back(fmt::format("{}, {}: {}", subject.name, what, error.message));
  }

  template <class Row, class Measure>
  void measure_with(const std::string& table, const ClassSubject& subject, std::vector<Row>* rows,
                    const Measure& measure_row) {
    if (was_interrupted() || std::ranges::find(options_.tables, table) == options_.tables.end()) return;
    progress(subject, table);
    Expected<Row> row = measure_row();
    if (!row) return add_trouble(subject, table, row.error());
    rows->push_back(std::move(*row));
  }

  void section(const std::string& heading, const std::string& text) const {
    fmt::print("\n{}{}\n{}{}", options_.markdown ? "## " : "", heading, options_.markdown ? "\n" : "", text);
  }

  const Options& options_;
  const GenerateSettings settings_;
  GenerateFigures figures_;
};

int run(const Options& options) {
  const Expected<std::vector<ClassSubject>> subjects = read_class_subjects(options.folder, options.only);
  if (!subjects) {
    fmt::print(stderr, "{}\n", subjects.error().message);
    return 2;
  }
  Benchmark benchmark(options);
  for (const ClassSubject& subject : *subjects) {
    if (was_interrupted()) break;
    benchmark.measure(subject);
  }
  benchmark.print();
  if (const Expected<void> written = benchmark.write(); !written) {
    fmt::print(stderr, "{}\n", written.error().message);
    return 2;
  }
  return benchmark.is_all_measured() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  Options options;
  CLI::App app("What heddle generate finds in classes, and what that takes");
  app.add_option("--only", options.only, "Names of classes (default: all)");
  app.add_option("--tables", options.tables, "What to measure")
      ->check(CLI::IsMember(kTables))
      ->capture_default_str();
  app.add_option("--folder", options.folder, "With the classes")->capture_default_str();
  app.add_option("--work", options.work, "Folder for drivers and tests")->required();
  app.add_option("--json", options.json, "File for the figures");
  app.add_option("--budget", options.budget, "CPU-seconds for the search for failures")
      ->capture_default_str();
  app.add_option("--check-budget", options.check_budget,
                 "Seconds for executing what was written; 0: that is not done")
      ->capture_default_str();
  app.add_option("--coverage-seconds", options.coverage_seconds,
                 "CPU-seconds of generate, where coverage is compared")
      ->capture_default_str();
  app.add_option("--random-minutes", options.random_minutes, "Of CPU time for random tests there")
      ->capture_default_str();
  app.add_option("--pruning-depth", options.pruning_depth, "Calls in a sequence, where prunings are compared")
      ->capture_default_str();
  app.add_option("--pruning-seconds", options.pruning_seconds, "Of CPU time at most, with and without them")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of all that is random")->capture_default_str();
  app.add_flag("--keep-drivers", options.keeps_drivers, "Use drivers again that are there");
  app.add_flag("--keep-random", options.keeps_random,
               "Use what random tests have covered in an earlier run, with this seed and as many minutes");
  app.add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
