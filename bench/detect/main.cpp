// heddle-bench-detect: CPU time of three programs, each as it is, under gcc's and clang's ThreadSanitizer,
// and under heddle with the same builds: in drop-in use, and by `heddle run --detect race --no-learn`.
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/machine.h"
#include "common/median.h"
#include "common/process.h"
#include "common/table.h"

namespace heddle::bench {
namespace {

struct Subject {
  const char* name;
  const char* size;        // its argument: a second or two under ThreadSanitizer
  const char* quick_size;  // enough to see that it works
};
constexpr Subject kSubjects[] = {
    {"locked_map", "400000", "2000"}, {"lock_free_queue", "800000", "2000"}, {"stencil", "60", "2"}};

struct Options {
  int rounds = 3;
  bool quick = false;
  bool markdown = false;
};

Expected<double> cpu_seconds(int rounds, const std::vector<std::string>& argv,
                             const std::string& library_path) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    ProcessOptions process;
    process.library_path = library_path;
    const Expected<Usage> usage = run_process(argv, process);
    if (!usage) return tl::unexpected(usage.error());
    times.push_back(usage->cpu_seconds);
  }
  return median(times);
}

Expected<bool> measure(const Subject& subject, const Options& options, Table& table) {
  const std::string size = options.quick ? subject.quick_size : subject.size;
  const auto binary = [&](const std::string& way) {
    return fmt::format("{}/{}.{}", HEDDLE_BENCH_SUBJECTS, subject.name, way);
  };
  const Expected<double> native = cpu_seconds(options.rounds, {binary("gcc.native"), size}, "");
  if (!native) return tl::unexpected(native.error());
  bool all_met = true;
  for (const std::string compiler : {"gcc", "clang"}) {
    const std::string program = binary(compiler + ".tsan");
    const std::string real = compiler == "clang" ? HEDDLE_BENCH_CLANG_TSAN : "";
    const Expected<double> tsan = cpu_seconds(options.rounds, {program, size}, real);
    if (!tsan) return tl::unexpected(tsan.error());
    const Expected<double> drop_in = cpu_seconds(options.rounds, {program, size}, HEDDLE_BENCH_RUNTIME);
    if (!drop_in) return tl::unexpected(drop_in.error());
    const Expected<double> run =
        cpu_seconds(options.rounds,
                    {HEDDLE_BENCH_TOOL, "run", "--policy", "nonpreemptive", "--detect", "race", "--no-learn",
                     "--timeout", "600", "--", program, size},
                    "");
    if (!run) return tl::unexpected(run.error());
    const bool met = *drop_in <= *tsan;
    all_met = all_met && met;
    table.add({subject.name, compiler, fmt::format("{:.2f}", *native), fmt::format("{:.2f}", *tsan),
               fmt::format("{:.2f}", *drop_in), fmt::format("{:.2f}", *run),
               options.quick ? "" : fmt::format("{:.2f}", *drop_in / *tsan)});
  }
  return all_met;
}

int run(const Options& options) {
  for (const std::string& line : describe_machine({HEDDLE_BENCH_GCC, HEDDLE_BENCH_CLANG}))
    fmt::print("{}\n", line);
  Table table(
      {"program", "compiler", "native s", "TSan s", "heddle drop-in s", "heddle run s", "drop-in / TSan"});
  bool all_met = true;
  for (const Subject& subject : kSubjects) {
    const Expected<bool> met = measure(subject, options, table);
    if (!met) {
      fmt::print(stderr, "{}: {}\n", subject.name, met.error().message);
      return 1;
    }
    all_met = all_met && *met;
  }
  fmt::print("CPU-seconds, user and system, median of {}:\n{}", options.rounds,
             table.print(options.markdown));
  if (!options.quick)
    fmt::print("bar: at most ThreadSanitizer's CPU time on each: {}\n", all_met ? "met" : "not met");
  return 0;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  heddle::bench::Options options;
  CLI::App app("Measures what detecting races costs next to ThreadSanitizer.");
  app.add_option("--rounds", options.rounds, "runs of each, of which the median counts")
      ->capture_default_str();
  app.add_flag("--quick", options.quick, "small sizes, to see that it works");
  app.add_flag("--markdown", options.markdown, "print the table as Markdown");
  CLI11_PARSE(app, argc, argv);
  return heddle::bench::run(options);
}
