// heddle-bench-interact: which of the errors that bench/subjects/interact were given `heddle interact` finds,
// along the change sequence graph, to isolated changes and without direction, all in one run.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "campaigns.h"
#include "common/machine.h"
#include "program_subject.h"
#include "support/interruption.h"
#include "tables.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kGuides{"csg", "isolated", "none"};
const std::vector<std::string> kTiers{"fast", "symbolic", "both"};

struct Options {
  std::vector<std::string> only;  // empty: all
  std::vector<std::string> guides = kGuides;
  std::vector<std::string> tiers = {"both"};
  std::string folder = HEDDLE_BENCH_SUBJECTS;
  std::string work;
  double budget = 300;
  uint64_t against_itself = 1'250'000;
  uint64_t seeds = 3;
  bool markdown = false;
};

// This program lies in the same build tree as the tool: <build>/bench/interact/<this> and <build>/bin/heddle.
fs::path compilers() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path().parent_path() / "bin";
}

CampaignSettings settings_of(const Options& options) {
  CampaignSettings settings{.work = fs::absolute(options.work),
                            .compilers = compilers(),
                            .budget = std::chrono::duration<double>(options.budget),
                            .against_itself = options.against_itself,
                            .tiers = {},
                            .guides = {},
                            .seeds = {},
                            .progress = [](const std::string& text) { fmt::print(stderr, "{}\n", text); }};
  for (const interact::Tier tier : {interact::Tier::kFast, interact::Tier::kSymbolic, interact::Tier::kBoth})
    if (std::ranges::find(options.tiers, name_of(tier)) != options.tiers.end())
      settings.tiers.push_back(tier);
  for (const interact::Guide guide :
       {interact::Guide::kGraph, interact::Guide::kIsolated, interact::Guide::kUndirected})
    if (std::ranges::find(options.guides, name_of(guide)) != options.guides.end())
      settings.guides.push_back(guide);
  for (uint64_t seed = 1; seed <= options.seeds; ++seed) settings.seeds.push_back(seed);
  return settings;
}

void section(const Options& options, const std::string& heading, const std::string& text) {
  fmt::print("\n{}{}\n{}{}", options.markdown ? "## " : "", heading, options.markdown ? "\n" : "", text);
}

int run(const Options& options) {
  const Expected<std::vector<ProgramSubject>> subjects = read_program_subjects(options.folder, options.only);
  if (!subjects) {
    fmt::print(stderr, "{}\n", subjects.error().message);
    return 2;
  }
  end_jobs_on_interruption();
  const CampaignSettings settings = settings_of(options);
  std::vector<SubjectFigures> figures;
  std::vector<std::string> troubles;
  for (const ProgramSubject& subject : *subjects) {
    if (was_interrupted()) break;
    Expected<SubjectFigures> measured = run_campaigns(subject, settings);
    if (measured) {
      figures.push_back(std::move(*measured));
    } else {
      troubles.push_back(fmt::format("{}: {}", subject.name, measured.error().message));
    }
  }
  for (const std::string& line : describe_machine({"g++", "clang-19"}))
    fmt::print("{}{}\n", options.markdown ? "* " : "", line);
  fmt::print(
      "{}budget of a campaign: {} CPU s; {} seeds; figures are medians of the seeds that found the error\n",
      options.markdown ? "* " : "", options.budget, options.seeds);
  section(options, "Subjects", print_subjects(figures, options.markdown));
  section(options, "Errors", print_errors(figures, options.markdown));
  section(options, "Inputs", print_inputs(figures, options.markdown));
  section(options, "Bars", print_bars(bars(figures), options.markdown));
  for (const std::string& trouble : troubles) fmt::print("not measured: {}\n", trouble);
  return troubles.empty() ? 0 : 1;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  Options options;
  CLI::App app("What heddle interact finds, by how it is guided");
  app.add_option("--only", options.only, "Names of subjects (default: all)");
  app.add_option("--guides", options.guides, "How the search is guided")
      ->check(CLI::IsMember(kGuides))
      ->capture_default_str();
  app.add_option("--folder", options.folder, "With the subjects")->capture_default_str();
  app.add_option("--work", options.work, "Folder for repositories and builds")->required();
  app.add_option("--budget", options.budget, "CPU seconds for a campaign")->capture_default_str();
  app.add_option("--tiers", options.tiers, "What makes inputs")
      ->check(CLI::IsMember(kTiers))
      ->capture_default_str();
  app.add_option("--against-itself", options.against_itself,
                 "Executions of the fast tier for each subject, of the base against itself")
      ->capture_default_str();
  app.add_option("--seeds", options.seeds, "How many")->capture_default_str();
  app.add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
