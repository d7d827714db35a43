// heddle-bench-program: what it costs to read a program into facts and to analyse it. Once with an empty
// cache and once with what that left there; heddle's own source unless another is given.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "common/machine.h"
#include "common/process.h"
#include "common/table.h"
#include "common/temporary_folder.h"
#include "program/analyses.h"
#include "program/program.h"

namespace heddle::bench {
namespace {

constexpr double kMaxDegraded = 5;  // percent of functions
constexpr double kMaxCold = 60;     // CPU-seconds
constexpr double kMaxWarm = 5;

struct Options {
  std::string commands = HEDDLE_BENCH_COMMANDS;
  std::string source = HEDDLE_BENCH_SOURCE;
  std::string under = "src";  // folder of the units that count; empty: all
  unsigned jobs = 0;
  bool analyse = false;
  bool markdown = false;
};

// CPU-seconds that a step takes, of this process and of the compilers that it runs.
class Stopwatch {
 public:
  double lap() {
    const double now = cpu_seconds_so_far();
    return now - std::exchange(last_, now);
  }

 private:
  double last_ = cpu_seconds_so_far();
};

std::string seconds(double value) {
  return fmt::format("{:.1f}", value);
}

// The commands of the units that count; false if there are none. Units that the build system makes of several
// source files lie in the same folder of the build.
bool select_commands(const Options& options, const std::string& to) {
  std::ifstream from(options.commands);
  const nlohmann::json all = nlohmann::json::parse(from, nullptr, false);
  if (!all.is_array()) return false;
  const std::string folder = options.source + "/" + options.under;
  const std::string made = (std::filesystem::path(options.commands).parent_path() / options.under).string();
  nlohmann::json chosen = nlohmann::json::array();
  for (const nlohmann::json& entry : all)
    if (const std::string file = entry.is_object() ? entry.value("file", "") : "";
        file.starts_with(folder) || file.starts_with(made))
      chosen.push_back(entry);
  std::ofstream(to) << chosen;
  return !chosen.empty();
}

Expected<program::Program> load(const Options& options, const std::string& commands, const std::string& cache,
                                program::LoadReport& report) {
  program::LoadOptions load;
  load.compile_commands = commands;
  load.source = options.source;
  load.cache = cache;
  load.jobs = options.jobs;
  return program::load_program(load, &report);
}

void print_degraded(const program::Program& program) {
  std::map<std::string, size_t> reasons;
  for (program::FunctionIndex f = 0; f < program.size(); ++f)
    if (const std::string& why = program.function(f).degraded; !why.empty()) ++reasons[why];
  for (const auto& [why, count] : reasons) fmt::print("  {} functions: {}\n", count, why);
}

void analyse(const program::Program& program, bool markdown) {
  Table table({"analysis", "CPU s", "found"});
  Stopwatch watch;
  const program::PointsTo points_to(program);
  table.add(
      {"points-to", seconds(watch.lap()), fmt::format("{} memory objects", points_to.objects().size())});
  const program::Escape escape(program, points_to);
  table.add(
      {"escape", seconds(watch.lap()), fmt::format("{} shared accesses", escape.shared_accesses().size())});
  const auto regions = program::locked_regions(program, points_to);
  table.add({"locked regions", seconds(watch.lap()), fmt::format("{} regions", regions.size())});
  const program::Dependence dependence(program, points_to);
  table.add({"dependence", seconds(watch.lap()), "the graph"});
  fmt::print("{}", table.print(markdown));
}

// Whether the bar is met.
bool print_bar(const std::string& what, double measured, double bar, const char* unit) {
  const bool met = measured <= bar;
  fmt::print("{}: {:.1f}{}, bar: at most {:.0f}{}: {}\n", what, measured, unit, bar, unit,
             met ? "met" : "not met");
  return met;
}

int run(const Options& options) {
  for (const std::string& line : describe_machine({program::LoadOptions().clang})) fmt::print("{}\n", line);
  const TemporaryFolder folder;
  const std::string cache = folder.file("cache");
  const std::string commands = folder.file("compile_commands.json");
  if (!select_commands(options, commands)) {
    fmt::print(stderr, "{} has no commands for {}\n", options.commands, options.under);
    return 1;
  }
  Stopwatch watch;
  program::LoadReport report;
  Expected<program::Program> program = load(options, commands, cache, report);
  if (!program) {
    fmt::print(stderr, "{}\n", program.error().message);
    return 1;
  }
  const double cold = watch.lap();
  fmt::print("cold: {:.1f} CPU-seconds\n", cold);
  fmt::print("{} units in {} compilations, {} functions, {} of them degraded\n", report.units,
             report.compilations, report.functions, report.functions_degraded);
  for (const std::string& unit : report.degraded_units) fmt::print("  {}\n", unit);
  print_degraded(*program);
  std::fflush(stdout);

  watch.lap();
  report = {};
  program = load(options, commands, cache, report);
  const double warm = watch.lap();
  if (!program) {
    fmt::print(stderr, "{}\n", program.error().message);
    return 1;
  }
  fmt::print("warm: {:.1f} CPU-seconds, {} of {} units from the cache\n", warm, report.from_cache,
             report.units);
  std::fflush(stdout);
  if (options.analyse) analyse(*program, options.markdown);
  const double share = report.functions == 0 ? 100
                                             : 100 * static_cast<double>(report.functions_degraded) /
                                                   static_cast<double>(report.functions);
  bool all_met = print_bar("degraded functions", share, kMaxDegraded, "%");
  all_met = print_bar("cold", cold, kMaxCold, " CPU-seconds") && all_met;
  all_met = print_bar("warm", warm, kMaxWarm, " CPU-seconds") && all_met;
  return all_met ? 0 : 2;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Options options;
  CLI::App app("Measures what reading and analysing a program costs.");
  app.add_option("--commands", options.commands, "compile_commands.json of a build")->capture_default_str();
  app.add_option("--source", options.source, "root of its source")->capture_default_str();
  app.add_option("--under", options.under, "folder of the units that count, from there; empty: all")
      ->capture_default_str();
  app.add_option("--jobs", options.jobs, "units at a time; 0: as many as there are cores");
  app.add_flag("--analyse", options.analyse, "time the analyses of the whole program, too");
  app.add_flag("--markdown", options.markdown, "print tables as Markdown");
  CLI11_PARSE(app, argc, argv);
  return heddle::bench::run(options);
}
