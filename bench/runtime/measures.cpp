#include "measures.h"

#include <functional>

#include <fmt/format.h>

#include "common/machine.h"
#include "common/median.h"
#include "common/process.h"
#include "heddle_runs.h"

namespace heddle::bench {
namespace {

constexpr double kMinExecutionsRatio = 50;
constexpr double kMinInProcessRate = 400'000;
constexpr double kMaxSlowDownShare = 1.0 / 3;
constexpr double kMinAccesses = 100e6;

// Eight megabytes: the bar asks for at least 100 million instrumented accesses; the table says how many there
// are.
constexpr int kCompressKilobytes = 8192;
// Recording every access of more would fill the disk instead of measuring.
constexpr int kRecordKilobytes = 256;
constexpr const char* kWorkers = "4";

// The median cost of `rounds` runs; the largest memory.
Expected<Usage> repeat(int rounds, const std::vector<std::string>& argv, const ProcessOptions& options = {}) {
  std::vector<double> times;
  Usage result;
  for (int round = 0; round < rounds; ++round) {
    Expected<Usage> usage = run_process(argv, options);
    if (!usage) return usage;
    times.push_back(usage->cpu_seconds);
    result.max_rss_kb = std::max(result.max_rss_kb, usage->max_rss_kb);
  }
  result.cpu_seconds = median(times);
  return result;
}

// CPU-seconds per run of many short runs.
Expected<double> seconds_per_process(const std::function<std::vector<std::string>(int)>& argv_of, int runs) {
  double total = 0;
  for (int i = 0; i < runs; ++i) {
    Expected<Usage> usage = run_process(argv_of(i));
    if (!usage) return tl::unexpected(usage.error());
    total += usage->cpu_seconds;
  }
  return total / runs;
}

std::string times(double ratio) {
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : 0);
}
std::string megabytes(uint64_t kb) {
  return fmt::format("{:.0f} MB", static_cast<double>(kb) / 1024);
}

}  // namespace

std::string Measures::judge(const std::string& bar, bool met) {
  if (options_.quick) return "";
  all_bars_met_ = all_bars_met_ && met;
  return fmt::format("{}: {}", bar, met ? "met" : "not met");
}

Expected<void> Measures::context_switches() {
  struct Way {
    const char* name;
    const char* description;
    int native_count;
    int heddle_count;
  };
  for (const Way& way : {Way{"yield", "switch by sched_yield, one core", 1'000'000, 10'000'000},
                         Way{"cond", "hand-off by condition variable, one core", 200'000, 1'000'000}}) {
    // What starting and ending the program costs is measured by the run with count 0, and taken off.
    const auto nanoseconds = [&](double all, double nothing, int count) {
      return (all - nothing) / count * 1e9;
    };
    const auto of_process = [&](const char* kind) -> Expected<double> {
      const std::string program = subject(fmt::format("handoff.gcc.O1.{}", kind));
      const int count = scaled(way.native_count);
      Expected<Usage> all =
          repeat(options_.rounds, {program, way.name, fmt::to_string(count)}, {.pinned = true});
      Expected<Usage> nothing = repeat(options_.rounds, {program, way.name, "0"}, {.pinned = true});
      if (!all) return tl::unexpected(all.error());
      if (!nothing) return tl::unexpected(nothing.error());
      return nanoseconds(all->cpu_seconds, nothing->cpu_seconds, count);
    };
    Expected<double> native = of_process("native");
    if (!native) return tl::unexpected(native.error());
    Expected<double> libtsan = of_process("tsan");
    if (!libtsan) return tl::unexpected(libtsan.error());

    const std::string program = subject("handoff.gcc.O1.tsan");
    const trace::PolicySpec policy{trace::PolicyKind::kRoundRobin};
    const auto of_heddle = [&](int count, uint32_t flags) -> Expected<double> {
      Expected<ControlledRun> all =
          run_controlled({program, way.name, fmt::to_string(count)}, policy, options_.rounds, flags);
      if (!all) return tl::unexpected(all.error());
      Expected<ControlledRun> nothing =
          run_controlled({program, way.name, "0"}, policy, options_.rounds, flags);
      if (!nothing) return tl::unexpected(nothing.error());
      return nanoseconds(all->usage.cpu_seconds, nothing->usage.cpu_seconds, count);
    };
    Expected<double> fibers = of_heddle(scaled(way.heddle_count), 0);
    if (!fibers) return tl::unexpected(fibers.error());
    Expected<double> kernel_threads = of_heddle(scaled(way.native_count), trace::request_flag::kOsThreads);
    if (!kernel_threads) return tl::unexpected(kernel_threads.error());
    table_.add({way.description, fmt::format("{:.0f} ns", *native), fmt::format("{:.0f} ns", *libtsan),
                fmt::format("{:.1f} ns", *fibers), times(*fibers / *libtsan), ""});
    table_.add({"the same on kernel threads (--backend os)", "", "",
                fmt::format("{:.0f} ns", *kernel_threads), times(*kernel_threads / *libtsan), ""});
  }
  return {};
}

Expected<void> Measures::executions() {
  const std::string native_program = subject("two_threads.gcc.O1.native");
  const std::string program = subject("two_threads.gcc.O1.tsan");
  std::vector<double> native_times, libtsan_times, server_times, run_times;
  for (int round = 0; round < options_.rounds; ++round) {
    Expected<double> native =
        seconds_per_process([&](int) { return std::vector{native_program}; }, scaled(1000));
    if (!native) return tl::unexpected(native.error());
    Expected<double> libtsan = seconds_per_process([&](int) { return std::vector{program}; }, scaled(200));
    if (!libtsan) return tl::unexpected(libtsan.error());
    Expected<double> server = seconds_per_execution({program}, scaled(20'000));
    if (!server) return tl::unexpected(server.error());
    Expected<double> run = seconds_per_process(
        [&](int seed) {
          return std::vector<std::string>{options_.heddle,      "run", "--policy", "random", "--seed",
                                          fmt::to_string(seed), "--",  program};
        },
        scaled(50));
    if (!run) return tl::unexpected(run.error());
    native_times.push_back(*native);
    libtsan_times.push_back(*libtsan);
    server_times.push_back(*server);
    run_times.push_back(*run);
  }
  const auto rate = [](const std::vector<double>& each) { return fmt::format("{:.0f}/s", 1 / median(each)); };
  const double ratio = median(libtsan_times) / median(server_times);
  table_.add({"executions of a two-thread test per CPU-second, fork server", rate(native_times),
              rate(libtsan_times), rate(server_times), times(ratio),
              judge("at least 50×", ratio >= kMinExecutionsRatio)});
  table_.add({"the same, one `heddle run` process each (with learning)", "", "", rate(run_times),
              times(median(libtsan_times) / median(run_times)), ""});
  return {};
}

Expected<void> Measures::executions_in_process() {
  const std::string program = subject("in_process.gcc.O1.tsan");
  const int count = scaled(1'000'000);
  // Starting the program, and the pages touched first, are measured by a run with one execution, and taken
  // off.
  const ProcessOptions under_heddle{.pinned = true, .library_path = options_.runtime};
  Expected<Usage> all = repeat(options_.rounds, {program, fmt::to_string(count)}, under_heddle);
  if (!all) return tl::unexpected(all.error());
  Expected<Usage> nothing = repeat(options_.rounds, {program, "1"}, under_heddle);
  if (!nothing) return tl::unexpected(nothing.error());
  const double rate = (count - 1) / (all->cpu_seconds - nothing->cpu_seconds);
  table_.add({"executions of a two-thread, ten-access function per CPU-second, in process", "", "",
              fmt::format("{:.0f}/s", rate), "", judge("at least 400,000/s", rate >= kMinInProcessRate)});
  return {};
}

Expected<void> Measures::slow_down(const std::string& build) {
  const std::string program = subject(fmt::format("compress.{}", build));
  const std::vector<std::string> size{fmt::to_string(scaled(kCompressKilobytes)), kWorkers};
  Expected<Usage> native = repeat(options_.rounds, {program + ".native", size[0], size[1]});
  if (!native) return tl::unexpected(native.error());
  Expected<Usage> libtsan = repeat(options_.rounds, {program + ".tsan", size[0], size[1]},
                                   {.library_path = build.starts_with("clang") ? options_.clang_tsan : ""});
  if (!libtsan) return tl::unexpected(libtsan.error());
  Expected<Usage> empty =
      repeat(options_.rounds, {program + ".tsan", size[0], size[1]}, {.library_path = subject("empty")});
  if (!empty) return tl::unexpected(empty.error());
  Expected<ControlledRun> heddle =
      run_controlled({program + ".tsan", size[0], size[1]}, trace::PolicySpec{}, options_.rounds);
  if (!heddle) return tl::unexpected(heddle.error());

  // A forked child does not count the pages it shares with its server, so memory is taken from the program
  // started directly under the runtime, as the other two are.
  Expected<Usage> direct =
      repeat(1, {program + ".tsan", size[0], size[1]}, {.library_path = options_.runtime});
  if (!direct) return tl::unexpected(direct.error());

  const double libtsan_factor = libtsan->cpu_seconds / native->cpu_seconds;
  const double heddle_factor = heddle->usage.cpu_seconds / native->cpu_seconds;
  const double share = heddle_factor / libtsan_factor;
  table_.add({fmt::format("compression, {}: CPU-seconds", build),
              fmt::format("{:.3f} s", native->cpu_seconds), fmt::format("{:.3f} s", libtsan->cpu_seconds),
              fmt::format("{:.3f} s", heddle->usage.cpu_seconds), "", ""});
  table_.add({fmt::format("compression, {}: with a runtime of empty functions", build), "", "",
              fmt::format("{:.3f} s", empty->cpu_seconds), times(empty->cpu_seconds / libtsan->cpu_seconds),
              ""});
  table_.add({fmt::format("compression, {}: slow-down", build), "1×", times(libtsan_factor),
              times(heddle_factor), times(share), judge("at most 0.33×", share <= kMaxSlowDownShare)});
  table_.add({fmt::format("compression, {}: peak memory", build), megabytes(native->max_rss_kb),
              megabytes(libtsan->max_rss_kb), megabytes(direct->max_rss_kb),
              times(static_cast<double>(direct->max_rss_kb) / static_cast<double>(libtsan->max_rss_kb)), ""});
  return {};
}

Expected<double> Measures::count_accesses(int kilobytes) const {
  const std::string line = first_line_of(fmt::format(
      "setarch -R {} {} {} 2>&1 >/dev/null", subject("compress.gcc.O1.counted"), kilobytes, kWorkers));
  const std::string label = "accesses ";
  if (!line.starts_with(label)) return internal_error(fmt::format("the counting build printed '{}'", line));
  return std::stod(line.substr(label.size()));
}

Expected<void> Measures::workload_size() {
  const Expected<double> accesses = count_accesses(scaled(kCompressKilobytes));
  if (!accesses) return tl::unexpected(accesses.error());
  table_.add({"compression, gcc.O1: instrumented accesses", fmt::format("{:.0f} million", *accesses / 1e6),
              "", "", "", judge("at least 100 million", *accesses >= kMinAccesses)});
  return {};
}

Expected<void> Measures::recording() {
  const std::string program = subject("compress.gcc.O1.tsan");
  const int kilobytes = scaled(kRecordKilobytes);
  const Expected<double> accesses = count_accesses(kilobytes);
  if (!accesses) return tl::unexpected(accesses.error());
  for (RecordedEvents which : {RecordedEvents::kPoints, RecordedEvents::kEveryAccess}) {
    const char* what = which == RecordedEvents::kPoints ? "recording points" : "recording every access";
    Expected<Recording> recording =
        measure_recording({program, fmt::to_string(kilobytes), kWorkers}, which, options_.rounds);
    if (!recording) return tl::unexpected(recording.error());
    const double events = static_cast<double>(recording->events);
    // How many of the accesses that happened are in the trace: a cost per event means nothing without it.
    table_.add(
        {fmt::format("{}: events, and their share of the {:.1f} million accesses", what, *accesses / 1e6), "",
         "", fmt::format("{:.2f} million, {:.0f} %", events / 1e6, 100 * events / *accesses), "", ""});
    table_.add({fmt::format("{}: CPU-seconds of heddle without → with", what), "", "",
                fmt::format("{:.3f} → {:.3f} s ({})", recording->seconds_without, recording->seconds_with,
                            times(recording->seconds_with / recording->seconds_without)),
                "", ""});
    table_.add({fmt::format("{}: bytes per event, file (with zstd)", what), "", "",
                fmt::format("{:.1f} ({:.2f})", static_cast<double>(recording->file_bytes) / events,
                            static_cast<double>(recording->archive_bytes) / events),
                "", ""});
    table_.add({fmt::format("{}: peak memory, events included", what), "", "",
                megabytes(recording->max_rss_kb), "", ""});
  }
  return {};
}

}  // namespace heddle::bench
