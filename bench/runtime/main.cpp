// heddle-bench-runtime: what controlled execution costs, in CPU-seconds, next to native execution and to the
// real ThreadSanitizer runtime. Prints one table; docs/performance.md holds the last one.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/machine.h"
#include "execute/runtime_location.h"
#include "measures.h"

namespace {

using heddle::Expected;

// The tool lies in the same build tree: <build>/bench/runtime/<this> and <build>/bin/heddle.
std::string default_heddle() {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  return self.parent_path().parent_path().parent_path() / "bin/heddle";
}

struct Section {
  std::string name;
  std::function<Expected<void>(heddle::bench::Measures&)> measure;
};

const std::vector<Section>& sections() {
  using heddle::bench::Measures;
  static const std::vector<Section> all{
      {"switches", [](Measures& measures) { return measures.context_switches(); }},
      {"executions", [](Measures& measures) { return measures.executions(); }},
      {"in-process", [](Measures& measures) { return measures.executions_in_process(); }},
      {"workload", [](Measures& measures) { return measures.workload_size(); }},
      {"gcc.O1", [](Measures& measures) { return measures.slow_down("gcc.O1"); }},
      {"gcc.O2", [](Measures& measures) { return measures.slow_down("gcc.O2"); }},
      {"clang.O1", [](Measures& measures) { return measures.slow_down("clang.O1"); }},
      {"recording", [](Measures& measures) { return measures.recording(); }},
  };
  return all;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const Section& section : sections()) names.push_back(section.name);
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  heddle::bench::MeasureOptions options{HEDDLE_BENCH_SUBJECTS, HEDDLE_BENCH_CLANG_TSAN, default_heddle()};
  if (Expected<std::string> runtime = heddle::find_runtime()) {
    options.runtime = *runtime;
  } else {
    fmt::print(stderr, "heddle-bench-runtime: {}\n", runtime.error().message);
    return 3;
  }
  bool markdown = false;
  std::vector<std::string> only = section_names();
  CLI::App app("Measures the runtime against native execution and libtsan");
  app.add_option("--rounds", options.rounds, "Repetitions of each measure; the median counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--heddle", options.heddle, "The heddle binary to measure")->capture_default_str();
  app.add_option("--only", only, "Which measures, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(section_names()))
      ->capture_default_str();
  app.add_flag("--markdown", markdown, "Print the table as Markdown");
  app.add_flag("--quick", options.quick,
               "A hundredth of the work, and no judgement: tests the benchmark itself");
  CLI11_PARSE(app, argc, argv);
  if (options.quick) options.rounds = 1;

  for (const std::string& line : heddle::bench::describe_machine({HEDDLE_BENCH_GCC, HEDDLE_BENCH_CLANG})) {
    fmt::print("{}{}\n", markdown ? "* " : "", line);
  }
  fmt::print("\n");
  std::fflush(stdout);

  heddle::bench::Table table({"measure", "native", "libtsan", "heddle", "heddle : libtsan", "bar"});
  heddle::bench::Measures measures(options, table);
  for (const Section& section : sections()) {
    if (std::ranges::find(only, section.name) == only.end()) continue;
    if (Expected<void> done = section.measure(measures); !done) {
      fmt::print(stderr, "heddle-bench-runtime: {}\n", done.error().message);
      return 3;
    }
  }
  fmt::print("{}", table.print(markdown));
  return options.quick || measures.all_bars_met() ? 0 : 1;
}
