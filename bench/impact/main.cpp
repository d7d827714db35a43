// heddle-bench-impact: how `heddle impact` finds the regressions of bench/subjects/impact, next to full
// prediction, random exploration and native stress, all in one run; and what it takes on long traces.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bug.h"
#include "common/machine.h"
#include "contenders.h"
#include "long_traces.h"
#include "neutral.h"
#include "safety.h"
#include "support/interruption.h"
#include "tables.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> subjects;  // empty: all
  std::string folder = HEDDLE_BENCH_SUBJECTS;
  std::string work;
  std::string budget = "60s";
  double stress_seconds = 60;
  uint64_t long_events = 10'000'000;
  bool markdown = false;
  bool neutral = false;
  bool safety = false;
  size_t limit = 15;
  uint64_t seed = 1;
  std::string only;
  size_t tests = 3;
};

// This program lies in the same build tree as the tool: <build>/bench/impact/<this> and <build>/bin/heddle.
fs::path tool_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path() / "bin";
}

Expected<BugFigures> measure(const Subject& subject, const Options& options) {
  const fs::path work = fs::absolute(options.work);
  fmt::print(stderr, "{}: building\n", subject.name);
  const Expected<Bug> bug = prepare_bug(subject, work, tool_folder());
  if (!bug) return tl::unexpected(bug.error());
  const SearchOptions search{.heddle = tool_folder() / "heddle",
                             .folder = work / subject.name,
                             .budget = options.budget,
                             .stress_seconds = options.stress_seconds};
  fmt::print(stderr, "{}: searching\n", subject.name);
  Expected<ImpactSearch> impact = search_by_impact(*bug, search);
  if (!impact) return tl::unexpected(impact.error());
  Expected<Search> prediction = search_by_prediction(*bug, search);
  if (!prediction) return tl::unexpected(prediction.error());
  Expected<Search> random = search_at_random(*bug, search);
  if (!random) return tl::unexpected(random.error());
  Expected<Search> stress = search_by_stress(*bug, search);
  if (!stress) return tl::unexpected(stress.error());
  return BugFigures{bug->name, bug->kind, *impact, *prediction, *random, *stress};
}

void print_section(const std::string& heading, const std::string& text, bool markdown) {
  fmt::print("\n{}{}\n{}{}", markdown ? "## " : "", heading, markdown ? "\n" : "", text);
}

// All that a mode has to say of each subject, whatever the others come to.
template <class Figures, class Measure>
std::vector<Figures> of_all(const std::vector<Subject>& subjects, std::vector<std::string>* troubles,
                            const Measure& measure) {
  std::vector<Figures> all;
  for (const Subject& subject : subjects) {
    if (was_interrupted()) break;
    Expected<std::vector<Figures>> figures = measure(subject);
    if (!figures) troubles->push_back(fmt::format("{}: {}", subject.name, figures.error().message));
    if (figures) std::ranges::move(*figures, std::back_inserter(all));
  }
  return all;
}

int run_neutral(const Options& options, const std::vector<Subject>& subjects) {
  const NeutralOptions neutral{.work = fs::absolute(options.work),
                               .compilers = tool_folder(),
                               .tests = options.tests,
                               .only = options.only};
  std::vector<std::string> troubles;
  const std::vector<NeutralFigures> figures = of_all<NeutralFigures>(
      subjects, &troubles, [&](const Subject& subject) { return measure_neutral(subject, neutral); });
  print_section("Impacted accesses of changes that touch no behaviour",
                print_neutral(figures, options.markdown), options.markdown);
  for (const std::string& trouble : troubles) fmt::print("not measured: {}\n", trouble);
  return troubles.empty() && is_all_empty(figures) ? 0 : 1;
}

int run_safety(const Options& options, const std::vector<Subject>& subjects) {
  const SafetyOptions safety{.work = fs::absolute(options.work),
                             .compilers = tool_folder(),
                             .changes = options.limit,
                             .tests = options.tests,
                             .seed = options.seed,
                             .only = options.only};
  std::vector<std::string> troubles;
  const std::vector<SafetyFigures> figures = of_all<SafetyFigures>(
      subjects, &troubles, [&](const Subject& subject) { return measure_safety(subject, safety); });
  print_section("Failing patterns that the change has made, and whether they have an impacted event",
                print_safety(figures, options.markdown), options.markdown);
  const std::string missed = print_missed(figures);
  if (!missed.empty()) print_section("Missed", missed, options.markdown);
  for (const std::string& trouble : troubles) fmt::print("not measured: {}\n", trouble);
  return troubles.empty() && missed.empty() ? 0 : 1;
}

int run(const Options& options) {
  const Expected<std::vector<Subject>> subjects = read_subjects(options.folder, options.subjects);
  if (!subjects) {
    fmt::print(stderr, "{}\n", subjects.error().message);
    return 2;
  }
  if (options.neutral) return run_neutral(options, *subjects);
  if (options.safety) return run_safety(options, *subjects);
  std::vector<BugFigures> bugs;
  std::vector<std::string> troubles;
  for (const Subject& subject : *subjects) {
    if (was_interrupted()) break;
    Expected<BugFigures> figures = measure(subject, options);
    if (figures) {
      bugs.push_back(std::move(*figures));
    } else {
      troubles.push_back(fmt::format("{}: {}", subject.name, figures.error().message));
    }
  }
  std::optional<Usage> long_traces;
  if (options.long_events != 0) {
    const Expected<Usage> usage =
        compare_long_traces(tool_folder() / "heddle", fs::absolute(options.work), options.long_events);
    if (usage) {
      long_traces = *usage;
    } else {
      troubles.push_back("long traces: " + usage.error().message);
    }
  }
  for (const std::string& line : describe_machine({"g++", "clang-19"}))
    fmt::print("{}{}\n", options.markdown ? "* " : "", line);
  print_section("What the change makes new", print_impact(bugs, options.markdown), options.markdown);
  print_section("What it takes to find the bug", print_searches(bugs, options.markdown), options.markdown);
  print_section("Bars", print_bars(bars(bugs, long_traces), options.markdown), options.markdown);
  for (const std::string& trouble : troubles) fmt::print("not measured: {}\n", trouble);
  return troubles.empty() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  Options options;
  CLI::App app("How heddle impact finds regressions, next to other ways");
  app.add_option("subjects", options.subjects, "Names of subjects (default: all)");
  app.add_option("--folder", options.folder, "With the subjects")->capture_default_str();
  app.add_option("--work", options.work, "Folder for builds")->required();
  app.add_option("--budget", options.budget, "Of each search under heddle")->capture_default_str();
  app.add_option("--stress-seconds", options.stress_seconds, "CPU time of native stress")
      ->capture_default_str();
  app.add_option("--long-events", options.long_events, "Of each of the long traces; 0: none")
      ->capture_default_str();
  app.add_flag("--neutral", options.neutral, "What is impacted by changes that touch no behaviour");
  app.add_flag("--safety", options.safety, "Whether generated regressions have impacted events");
  app.add_option("--limit", options.limit, "Changes of each subject (--safety)")->capture_default_str();
  app.add_option("--seed", options.seed, "Which ones (--safety)")->capture_default_str();
  app.add_option("--only", options.only, "Changes whose names contain this (--neutral, --safety)");
  app.add_option("--tests", options.tests, "Of each subject that has several (--neutral, --safety)")
      ->capture_default_str();
  app.add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
