// heddle-bench-predict: how many events per CPU-second each analysis of traces gets through, and in how much
// memory. Also makes the traces, with --generate.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common/machine.h"
#include "common/median.h"
#include "common/table.h"
#include "common/temporary_folder.h"
#include "common/trace_generator.h"
#include "methods.h"
#include "trace/event_stream.h"
#include "trace/std_text.h"
#include "trace/trace_file.h"

namespace heddle::bench {
namespace {

struct Options {
  TraceShape shape;
  std::vector<uint64_t> sizes{1'000'000, 10'000'000};
  std::string methods = ".*";
  std::string generate;
  std::string file;
  std::string format = "binary";
  int repeats = 3;
  bool markdown = false;
  bool quick = false;
};

struct Measured {
  Analysed analysed;
  double cpu_seconds = 0;
  uint64_t peak_kb = 0;
};

Expected<void> write(const TraceShape& shape, bool as_text, const std::string& path) {
  const trace::Trace made = generate_trace(shape);
  return as_text ? trace::write_std(made, path) : trace::write_trace(path, made);
}

// In a process of its own, so that its CPU time and memory are its own. All of it counts: opening the file,
// checking it, and analysing it.
Expected<Measured> measure(const Method& method, const std::string& path) {
  int ends[2];
  if (pipe(ends) != 0) return internal_error("cannot make a pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return internal_error("cannot make a process");
  if (child == 0) {
    const Expected<Analysed> analysed = method.run(path);
    if (!analysed) {
      fmt::print(stderr, "{}\n", analysed.error().message);
      _exit(1);
    }
    const ssize_t written = ::write(ends[1], &*analysed, sizeof(*analysed));
    _exit(written == sizeof(*analysed) ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  const ssize_t got = read(ends[0], &measured.analysed, sizeof(measured.analysed));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (got != sizeof(measured.analysed) || status != 0)
    return internal_error(fmt::format("{} failed on {}", method.name, path));
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  measured.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  measured.peak_kb = static_cast<uint64_t>(usage.ru_maxrss);
  return measured;
}

// The one with the median time.
Expected<Measured> measure_repeatedly(const Method& method, const std::string& path, int repeats) {
  std::vector<Measured> all;
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto measured = measure(method, path);
    if (!measured) return measured;
    all.push_back(*measured);
    times.push_back(measured->cpu_seconds);
  }
  const double middle = median(times);
  return *std::ranges::find(all, middle, &Measured::cpu_seconds);
}

double rate(const Measured& measured) {
  return static_cast<double>(measured.analysed.events) / 1e6 / std::max(measured.cpu_seconds, 1e-6);
}

// Measures the methods that fit the file or files. Returns whether all bars were reached.
Expected<bool> measure_all(const Options& options, const std::string& binary, const std::string& text,
                           uint64_t events) {
  const std::regex wanted(options.methods);
  bool reached = true;
  Table table({"analysis", "M events/CPU-s", "CPU-s", "analysis MB", "peak MB", "findings", "bar"});
  for (const Method& method : methods()) {
    const std::string& path = method.from_text ? text : binary;
    if (path.empty() || !std::regex_match(method.name, wanted)) continue;
    if (method.most_events != 0 && events > method.most_events) continue;
    const auto measured = measure_repeatedly(method, path, options.repeats);
    if (!measured) return tl::unexpected(measured.error());
    const bool met = rate(*measured) >= method.bar;
    reached = reached && met;
    table.add({method.name, fmt::format("{:.1f}", rate(*measured)),
               fmt::format("{:.3f}", measured->cpu_seconds),
               fmt::format("{:.1f}", static_cast<double>(measured->analysed.bytes) / (1 << 20)),
               fmt::format("{}", measured->peak_kb / 1024), fmt::format("{}", measured->analysed.findings),
               method.bar == 0 ? "" : fmt::format("{} {}", method.bar, met ? "met" : "not met")});
  }
  fmt::print("{}", table.print(options.markdown));
  std::fflush(stdout);
  return reached;
}

Expected<bool> measure_file(const Options& options) {
  const auto format = trace::format_of(options.file);
  if (!format) return tl::unexpected(format.error());
  const bool is_text = *format == trace::EventFormat::kText;
  return measure_all(options, is_text ? "" : options.file, is_text ? options.file : "", 0);
}

Expected<bool> measure_generated(const Options& options) {
  for (const std::string& line : describe_machine({}))
    fmt::print("{}{}\n", options.markdown ? "* " : "", line);
  const TemporaryFolder folder;
  const std::string binary = folder.file("bench.trace"), text = folder.file("bench.std");
  bool reached = true;
  for (const uint64_t size : options.sizes) {
    TraceShape shape = options.shape;
    shape.events = size;
    if (auto done = write(shape, false, binary); !done) return tl::unexpected(done.error());
    if (auto done = write(shape, true, text); !done) return tl::unexpected(done.error());
    fmt::print("\n{} events, {} threads, {} locks, {} variables, seed {}\n{}", size, shape.threads,
               shape.locks, shape.variables, shape.seed, options.markdown ? "\n" : "");
    const auto met = measure_all(options, binary, text, size);
    if (!met) return met;
    reached = reached && *met;
  }
  return reached;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  Options options;
  TraceShape& shape = options.shape;
  uint64_t events = 0;
  CLI::App app("Measures analyses of traces, and makes the traces");
  app.add_option("--generate", options.generate, "Only write a trace to this file");
  app.add_option("--file", options.file, "Measure on this trace instead of generated ones");
  app.add_option("--format", options.format, "Of the trace: binary or std")
      ->check(CLI::IsMember({"binary", "std"}))
      ->capture_default_str();
  app.add_option("--events", events, "Events of the trace (default: 1000000; measured: also 10000000)");
  app.add_option("--threads", shape.threads)->check(CLI::Range(1u, 1u << 16))->capture_default_str();
  app.add_option("--locks", shape.locks)->check(CLI::Range(1u, 1u << 20))->capture_default_str();
  app.add_option("--variables", shape.variables)->check(CLI::Range(1u, 1u << 24))->capture_default_str();
  app.add_option("--seed", shape.seed)->capture_default_str();
  app.add_option("--section-percent", shape.section_percent, "How often a thread enters a critical section")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  app.add_option("--section-length", shape.section_length, "Accesses in a section, on average")
      ->check(CLI::Range(1u, 1u << 16))
      ->capture_default_str();
  app.add_option("--nested-percent", shape.nested_percent, "Sections with another one inside")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  app.add_option("--write-percent", shape.write_percent, "Writes among accesses")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  app.add_option("--unguarded-permille", shape.unguarded_permille,
                 "Accesses to guarded variables without the lock, among those outside sections")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  app.add_option("--methods", options.methods, "Which analyses: a regular expression for the whole name")
      ->capture_default_str();
  app.add_option("--repeats", options.repeats, "Measurements of each; the median counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  app.add_flag("--quick", options.quick, "Small traces, and no judgement: tests the benchmark itself");
  CLI11_PARSE(app, argc, argv);
  if (events != 0) {
    shape.events = events;
    options.sizes = {events};
  }
  if (options.quick) {
    options.sizes = {20'000};
    options.repeats = 1;
  }
  if (!options.generate.empty()) {
    const auto done = write(shape, options.format == "std", options.generate);
    if (!done) fmt::print(stderr, "heddle-bench-predict: {}\n", done.error().message);
    return done ? 0 : 2;
  }
  const heddle::Expected<bool> reached =
      options.file.empty() ? measure_generated(options) : measure_file(options);
  if (!reached) {
    fmt::print(stderr, "heddle-bench-predict: {}\n", reached.error().message);
    return 3;
  }
  return *reached || options.quick ? 0 : 1;
}
