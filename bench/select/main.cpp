// heddle-bench-select: which tests heddle selects for the changes of bench/subjects/select, and in which
// order, next to retest-all, classic selection, block coverage and chance; and what they reveal. Prints one
// table for each of the paper's, and whether the bars are met.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bars.h"
#include "check/check.h"
#include "common/machine.h"
#include "common/process.h"
#include "common/subject.h"
#include "figures.h"
#include "mutants.h"
#include "support/interruption.h"
#include "tables.h"
#include "told.h"
#include "workbench.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> subjects;  // empty: all
  std::string folder = HEDDLE_BENCH_SUBJECTS;
  std::string work;
  std::string json;
  uint64_t seeds = 3;
  uint64_t random_orders = 10;
  size_t mutants = 0;
  uint64_t mutant_seed = 1;
  bool full_mutants = false;
  bool all_changes = false;
  bool only_mutants = false;
  bool prepare = false;
  bool markdown = false;
};

// This program lies in the same build tree as the tool: <build>/bench/select/<this> and <build>/bin/heddle.
fs::path build_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path();
}

class Benchmark {
 public:
  explicit Benchmark(const Options& options) : options_(options) {}

  // False if some subject could not be measured.
  bool run(const std::vector<Subject>& subjects) {
    size_t left = subjects.size();
    size_t mutants_left = options_.mutants;
    for (const Subject& subject : subjects) {
      // As many of each as of the others.
      const size_t mutants = mutants_left / left--;
      mutants_left -= mutants;
      const Expected<void> measured = measure(subject, mutants);
      if (was_interrupted()) {
        troubles_.push_back(fmt::format("{} and what comes after it: interrupted", subject.name));
        return false;
      }
      if (measured) continue;
      troubles_.push_back(fmt::format("{}: {}", subject.name, measured.error().message));
      fmt::print(stderr, "{}\n", troubles_.back());
    }
    return troubles_.empty();
  }

  void print() const {
    for (const std::string& line : describe_machine({"g++", "clang-19"}))
      fmt::print("{}{}\n", options_.markdown ? "* " : "", line);
    fmt::print("{}{} schedules of each test; CPU time includes starting, learning and reporting\n",
               options_.markdown ? "* " : "", options_.seeds + 1);
    if (!rows_.empty()) print_rows();
    if (options_.mutants > 0) {
      print_table("Synchronisation mutants", print_mutants(mutants_, options_.markdown));
      print_list("Races of mutants that no selected test reveals", print_missed(mutants_));
    }
    print_table("Bars", print_bars(bars(), options_.markdown));
    for (const std::string& trouble : troubles_) fmt::print("not measured: {}\n", trouble);
  }

  Expected<void> write_json() const {
    nlohmann::ordered_json told = {{"schedules", options_.seeds + 1},
                                   {"changes", nlohmann::ordered_json::array()},
                                   {"mutants", nlohmann::ordered_json::array()},
                                   {"bars", to_json(bars())},
                                   {"not_measured", troubles_}};
    for (const ChangeFigures& row : rows_) told["changes"].push_back(to_json(row));
    for (const MutantFigures& mutant : mutants_) told["mutants"].push_back(to_json(mutant));
    std::ofstream stream(options_.json);
    stream << told.dump(1) << '\n';
    if (!stream.flush()) return usage_error(fmt::format("cannot write {}", options_.json));
    return {};
  }

 private:
  Expected<void> measure(const Subject& subject, size_t mutants) {
    Expected<Workbench> bench = Workbench::prepare(
        subject,
        {.work = fs::absolute(options_.work), .compilers = build_folder() / "bin", .seeds = options_.seeds});
    if (!bench) return tl::unexpected(bench.error());
    if (!options_.only_mutants) {
      const size_t changes = options_.all_changes ? subject.changes.size() : 1;
      for (size_t i = 0; i < changes; ++i) {
        if (options_.prepare) {
          if (const Expected<TestOutcomes> executed = execute_change(*bench, subject.changes[i]); !executed)
            return tl::unexpected(executed.error());
          continue;
        }
        Expected<ChangeFigures> figures = measure_change(*bench, subject.changes[i], options_.random_orders);
        if (!figures) return tl::unexpected(figures.error());
        rows_.push_back(std::move(*figures));
      }
    }
    if (mutants == 0) return {};
    return measure_mutants(
        *bench, {.count = mutants, .seed = options_.mutant_seed, .is_full = options_.full_mutants}, mutants_);
  }

  void print_rows() const {
    const bool markdown = options_.markdown;
    print_table("Tests, and CPU-seconds to execute them: all, classic selection, heddle",
                print_efficiency(rows_, markdown));
    print_table("Regression races: potential (impacted pairs covered) and real (pairs of lines executed)",
                print_effectiveness(rows_, markdown));
    print_list("Regression races that no selected test reveals", print_missed(rows_));
    print_table(fmt::format("APFD of heddle's order, of additional block coverage and of {} random orders",
                            options_.random_orders),
                print_apfd(rows_, markdown));
    print_table("Tests selected with and without regard to threads", print_ablation(rows_, markdown));
    print_table(
        fmt::format("CPU-seconds of the analysis with a warm cache, and of all tests as `heddle test` "
                    "executes them, {} schedules each (of every tenth test); the first in percent of "
                    "that, of the {} schedules of this benchmark, and of the selected tests with these",
                    CheckOptions().seeds + 1, options_.seeds + 1),
        print_analysis(rows_, markdown));
    print_list("Tests that heddle did not see to their end", print_troubles(rows_));
  }

  std::vector<Bar> bars() const {
    std::vector<Bar> bars = judge(rows_);
    if (options_.mutants > 0) bars.push_back(judge(mutants_));
    return bars;
  }

  void print_table(const std::string& title, const std::string& table) const {
    fmt::print("\n{}{}\n{}{}", options_.markdown ? "### " : "", title, options_.markdown ? "\n" : "", table);
  }

  void print_list(const std::string& title, const std::string& list) const {
    if (list.empty()) return;
    const char* fence = options_.markdown ? "```\n" : "";
    print_table(title, fence + list + fence);
  }

  const Options& options_;
  std::vector<ChangeFigures> rows_;
  std::vector<MutantFigures> mutants_;
  std::vector<std::string> troubles_;
};

int run(Options options) {
  if (options.work.empty()) options.work = (build_folder() / "bench" / "select" / "work").string();
  const Expected<std::vector<Subject>> subjects = read_subjects(options.folder, options.subjects);
  if (!subjects) {
    fmt::print(stderr, "{}\n", subjects.error().message);
    return 2;
  }
  end_jobs_on_interruption();
  Benchmark benchmark(options);
  const bool all_measured = benchmark.run(*subjects);
  if (options.prepare) return all_measured ? 0 : 1;
  benchmark.print();
  if (!options.json.empty()) {
    if (const Expected<void> written = benchmark.write_json(); !written) {
      fmt::print(stderr, "{}\n", written.error().message);
      return 2;
    }
  }
  fmt::print("\n{:.0f} CPU-seconds for this run; what it executed is kept in {}\n", cpu_seconds_so_far(),
             options.work);
  return all_measured ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Options options;
  CLI::App app("Measures which tests heddle selects for a change, and what they reveal.");
  app.add_option("SUBJECT", options.subjects, "names; default: all");
  app.add_option("--subjects", options.folder, "folder with them")->capture_default_str();
  app.add_option("--work", options.work, "folder for builds and results, which are used again");
  app.add_option("--seeds", options.seeds, "schedules of each test beside the default one")
      ->capture_default_str();
  app.add_option("--random-orders", options.random_orders, "of which the mean counts")->capture_default_str();
  app.add_flag("--all-changes", options.all_changes, "not only the main change of each subject");
  app.add_option("--mutants", options.mutants, "try so many synchronisation mutants, over all subjects");
  app.add_option("--mutant-seed", options.mutant_seed, "which ones")->capture_default_str();
  app.add_flag("--full-mutants", options.full_mutants,
               "execute all tests of each, also those that should not be able to tell it from the base");
  app.add_flag("--only-mutants", options.only_mutants, "without the tables about changes");
  app.add_flag("--prepare", options.prepare, "build, record and execute, but select nothing yet");
  app.add_option("--json", options.json, "file for the figures");
  app.add_flag("--markdown", options.markdown, "print tables as Markdown");
  CLI11_PARSE(app, argc, argv);
  return heddle::bench::run(options);
}
