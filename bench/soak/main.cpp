// heddle-bench-soak [--executions N] [PROGRAM]
//
// One fork server executes a test N times. Each of a hundred seeds is executed again and again, in turn by
// its seed and by the schedule that its first execution followed, and must give the trace of that first
// execution every time. Ten times on the way it is measured what tool, server and arena hold on to. Growth,
// or a trace that differs, is a failure.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "execute/fork_server.h"
#include "execute/learning.h"
#include "footprint.h"
#include "trace/names.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace heddle::bench {
namespace {

constexpr uint64_t kSeeds = 100;
constexpr uint64_t kMeasurements = 10;
constexpr uint64_t kNoise = 1024;  // KB: allocators round, and pages that were written stay

// The first execution of a seed, to which all others are compared.
struct Original {
  trace::Schedule schedule;
  trace::OutcomeKind outcome = trace::OutcomeKind::kOk;
  uint64_t hash = 0;
};

ExecutionRequest request_for(uint64_t seed) {
  ExecutionRequest request;
  request.policy = {.kind = trace::PolicyKind::kRandom, .seed = seed};
  request.flags = trace::request_flag::kRecordEvents;
  return request;
}

class Soak {
 public:
  explicit Soak(ForkServer server) : server_(std::move(server)) {}

  Expected<void> run(uint64_t executions) {
    if (const auto learned = learn_points(server_); !learned) return tl::unexpected(learned.error());
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      if (const auto kept = keep_original(seed); !kept) return kept;
    }
    print_head();
    for (uint64_t done = 0, next = executions / kMeasurements; done < executions;) {
      const uint64_t round = done / kSeeds;
      if (const auto same = compare(done % kSeeds, round % 2 == 1); !same) return same;
      if (++done != next && done != executions) continue;
      if (const auto steady = measure(done); !steady) return steady;
      next += executions / kMeasurements;
    }
    return {};
  }

 private:
  Expected<void> keep_original(uint64_t seed) {
    const ExecutionRequest request = request_for(seed);
    const Expected<Execution> execution = server_.run(request);
    if (!execution) return tl::unexpected(execution.error());
    originals_.push_back({server_.schedule_of(request, *execution), execution->outcome.kind,
                          trace::trace_hash(execution->trace)});
    failures_ += execution->failed() ? 1 : 0;
    return {};
  }

  Expected<void> compare(uint64_t seed, bool by_schedule) {
    const Original& original = originals_[seed];
    ExecutionRequest request = request_for(seed);
    if (by_schedule) {
      request.schedule = &original.schedule;
      request.policy = original.schedule.then;
      request.stop_at_divergence = true;
    }
    const Expected<Execution> execution = server_.run(request);
    if (!execution) return tl::unexpected(execution.error());
    const uint64_t hash = trace::trace_hash(execution->trace);
    if (hash == original.hash && execution->outcome.kind == original.outcome && !execution->server_restarted)
      return {};
    return internal_error(
        fmt::format("seed {}{} gave another execution than before: {} with trace {:016x}, "
                    "not {} with {:016x}{}",
                    seed, by_schedule ? ", by its schedule," : "", trace::to_text(execution->outcome.kind),
                    hash, trace::to_text(original.outcome), original.hash,
                    execution->server_restarted ? "; the server had died" : ""));
  }

  void print_head() const {
    fmt::print("{} seeds, of which {} fail, each executed by its seed and by its schedule in turn\n\n",
               kSeeds, failures_);
    fmt::print(
        "| executions | per second | tool KB | server KB | arena KB | descriptors | processes | threads |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  }

  // The first measurement is what the later ones must not exceed.
  Expected<void> measure(uint64_t done) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    const Footprint now = measure_footprint();
    fmt::print("| {} | {:.0f} | {} | {} | {} | {} | {} | {} |\n", done, static_cast<double>(done) / seconds,
               now.tool_kb, now.others_kb, now.shared_kb, now.descriptors, now.processes, now.threads);
    std::fflush(stdout);
    if (first_.processes == 0) {
      first_ = now;
      return {};
    }
    const uint64_t before_kb = first_.tool_kb + first_.others_kb + first_.shared_kb;
    const uint64_t now_kb = now.tool_kb + now.others_kb + now.shared_kb;
    if (now_kb > before_kb + kNoise)
      return internal_error(fmt::format("memory has grown from {} to {} KB", before_kb, now_kb));
    if (now.descriptors > first_.descriptors || now.processes > first_.processes ||
        now.threads > first_.threads)
      return internal_error("there are more descriptors, processes or threads than at first");
    return {};
  }

  ForkServer server_;
  std::vector<Original> originals_;
  uint64_t failures_ = 0;
  Footprint first_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

Expected<void> soak(const std::string& program, uint64_t executions) {
  Expected<ForkServer> server = ForkServer::start({.argv = {program}});
  if (!server) return tl::unexpected(server.error());
  return Soak(std::move(*server)).run(executions);
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  CLI::App app("Executes one test very often and watches for growth and for differences.");
  uint64_t executions = 1'000'000;
  std::string program = HEDDLE_SOAK_SUBJECT;
  app.add_option("--executions", executions, "how often")
      ->capture_default_str()
      ->check(CLI::Range(1000, 1 << 30));
  app.add_option("program", program, "the test, built with -fsanitize=thread");
  CLI11_PARSE(app, argc, argv);
  const auto passed = heddle::bench::soak(program, executions);
  if (passed) {
    fmt::print("\n{} executions: no growth, no difference\n", executions);
    return 0;
  }
  fmt::print(stderr, "soak: {}\n", passed.error().message);
  return 1;
}
