// Runs one program of this folder under the real runtime and holds it to its own expectation.
//
//   program_test SOURCE BINARY SCHEDULE
//
// A program expected to fail must fail in the stated way under random schedules, with no other failure on the
// way, and the failure must replay from its schedule text in a fresh process, identically, 20 times. A
// correct program must pass every schedule tried. What is replayed is replayed on kernel threads and with
// address-space randomisation, too, and must give the same trace there. A schedule that disproves the
// expectation is kept in SCHEDULE.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "execute/fork_server.h"
#include "execute/learning.h"
#include "expectation.h"
#include "explore/observe_trace.h"
#include "explore/reads_from_search.h"
#include "explore/seeded.h"
#include "explore/surw_search.h"
#include "trace/names.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace heddle::programs {
namespace {

using trace::OutcomeKind;
using trace::PolicyKind;
using trace::PolicySpec;

constexpr uint32_t kReplays = 20;
constexpr uint64_t kPctSchedules = 100;
constexpr uint32_t kPctDepth = 3;
constexpr uint64_t kStrategySchedules = 50;  // of each strategy

std::string describe(const Execution& execution) {
  const auto& outcome = execution.outcome;
  std::string text = fmt::format("{} in {} after {} steps: {}", trace::to_text(outcome.kind),
                                 execution.trace.thread_name(outcome.thread), execution.steps(),
                                 execution.trace.outcome_message());
  if (!execution.err.empty()) text += fmt::format("\n  stderr: {}", execution.err.substr(0, 500));
  return text;
}

class ProgramTest {
 public:
  ProgramTest(std::string binary, std::string schedule_path, Expectation expectation)
      : binary_(std::move(binary)),
        schedule_path_(std::move(schedule_path)),
        expectation_(std::move(expectation)) {}

  Expected<void> run() {
    std::remove(schedule_path_.c_str());
    auto server = start();
    if (!server) return tl::unexpected(server.error());
    LearningOptions options;
    options.injection = expectation_.injection;
    options.max_steps = expectation_.steps;
    options.flags = detection_flags();
    if (expectation_.detects_races && !expectation_.is_ok()) {
      if (const auto seen = check_first_execution(*server); !seen) return seen;
    }
    const auto learned = learn_points(*server, options);
    if (!learned) return tl::unexpected(learned.error());
    if (!learned->settled) return internal_error("learning the shared locations did not come to an end");
    longest_steps_ = learned->longest_steps;
    return expectation_.is_ok() ? check_correct(*server) : check_buggy(*server);
  }

 private:
  // What is needed to hold a replay against the execution it repeats.
  struct Recorded {
    OutcomeKind kind;
    std::string message;
    uint64_t hash;
  };

  ExecutionRequest request_for(const PolicySpec& policy, uint32_t flags) const {
    ExecutionRequest request;
    request.policy = policy;
    request.flags = flags | (expectation_.timeouts_when_idle ? trace::request_flag::kTimeoutsWhenIdle : 0) |
                    detection_flags();
    request.injection = expectation_.injection;
    request.max_steps = expectation_.steps;
    return request;
  }

  uint32_t detection_flags() const {
    return expectation_.detects_races ? trace::request_flag::kDetectRaces : 0;
  }

  // A race shows without anything learned, as in a program that runs without the tool.
  Expected<void> check_first_execution(ForkServer& server) {
    const auto request = request_for({.kind = PolicyKind::kNonpreemptive}, 0);
    const auto execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    if (expectation_.allows(execution->outcome.kind)) return {};
    return disproved(server, request, *execution, "the first execution does not show the race");
  }

  Expected<ForkServer> start(bool fixed_addresses = true) const {
    TestCommand command{.argv = {binary_}};
    if (!expectation_.preload.empty()) command.environment.emplace_back("LD_PRELOAD", expectation_.preload);
    ForkServerOptions options;
    options.fixed_addresses = fixed_addresses;
    return ForkServer::start(std::move(command), std::move(options));
  }

  static Recorded record(const Execution& execution) {
    return {execution.outcome.kind, std::string(execution.trace.outcome_message()),
            trace::trace_hash(execution.trace)};
  }

  // Writes the schedule of an execution that is not as expected, and says how to look at it.
  tl::unexpected<Error> disproved(const ForkServer& server, const ExecutionRequest& request,
                                  const Execution& execution, const std::string& what) const {
    std::string kept = fmt::format("schedule: {}", schedule_path_);
    const auto written = trace::write_schedule_file(schedule_path_, server.schedule_of(request, execution));
    if (!written) kept = written.error().message;
    return internal_error(fmt::format("{} (policy {})\n  {}\n  {}\n  look at it with: heddle replay {}", what,
                                      trace::print_policy(request.policy), describe(execution), kept,
                                      schedule_path_));
  }

  Expected<void> check_buggy(ForkServer& server) {
    for (uint64_t seed = 1; seed <= expectation_.executions; ++seed) {
      const auto request = request_for({.kind = PolicyKind::kRandom, .seed = seed},
                                       trace::request_flag::kRecordEvents | trace::request_flag::kLearn);
      const auto execution = server.run(request);
      if (!execution) return tl::unexpected(execution.error());
      if (!execution->failed()) {
        server.add_points(execution->learned);
        continue;
      }
      if (!expectation_.allows(execution->outcome.kind)) {
        return disproved(server, request, *execution, "failed in another way than expected");
      }
      if (execution->trace.outcome_message().find(expectation_.message) == std::string_view::npos) {
        return disproved(server, request, *execution,
                         fmt::format("the message does not contain '{}'", expectation_.message));
      }
      fmt::print("found after {} executions: {}\n", seed, describe(*execution));
      return check_replay(server, request, *execution, kReplays);
    }
    return internal_error(fmt::format("no failure in {} random schedules: seeds 1 to {}",
                                      expectation_.executions, expectation_.executions));
  }

  Expected<void> check_correct(ForkServer& server) {
    if (const auto passed = check_passes(server, {.kind = PolicyKind::kNonpreemptive}); !passed)
      return passed;
    if (const auto passed = check_passes(server, {.kind = PolicyKind::kRoundRobin}); !passed) return passed;
    for (uint64_t seed = 1; seed <= expectation_.executions; ++seed) {
      const auto passed = check_passes(server, {.kind = PolicyKind::kRandom, .seed = seed});
      if (!passed) return passed;
    }
    for (uint64_t seed = 1; seed <= kPctSchedules; ++seed) {
      const auto passed = check_passes(server, {.kind = PolicyKind::kPct, .depth = kPctDepth, .seed = seed});
      if (!passed) return passed;
    }
    SeededStrategy pos({.kind = PolicyKind::kPos, .seed = 1});
    SurwSearch surw(1);
    ReadsFromSearch rf(1);
    for (Strategy* strategy :
         {static_cast<Strategy*>(&pos), static_cast<Strategy*>(&surw), static_cast<Strategy*>(&rf)}) {
      const auto passed = check_passes(server, *strategy);
      if (!passed) return passed;
    }
    const auto request = request_for({.kind = PolicyKind::kRandom, .seed = expectation_.executions + 1},
                                     trace::request_flag::kRecordEvents | trace::request_flag::kLearn);
    const auto execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    if (execution->failed()) return disproved(server, request, *execution, "a correct program failed");
    return check_replay(server, request, *execution, 1);
  }

  Expected<void> check_passes(ForkServer& server, const PolicySpec& policy) {
    auto request = request_for(policy, trace::request_flag::kLearn);
    request.pct_length = longest_steps_;
    const auto execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    if (execution->failed()) return disproved(server, request, *execution, "a correct program failed");
    if (!execution->instrumented) return internal_error("the program never called the runtime");
    server.add_points(execution->learned);
    return {};
  }

  Expected<void> check_passes(ForkServer& server, Strategy& strategy) {
    TraceObserver observer;
    for (uint64_t i = 0; i < kStrategySchedules; ++i) {
      const std::optional<Plan> plan = strategy.next();
      const Detail detail = strategy.detail();
      ExecutionRequest request = observer.request_for(*plan, detail);
      const ExecutionRequest usual = request_for(request.policy, request.flags | trace::request_flag::kLearn);
      request.flags = usual.flags;
      request.injection = usual.injection;
      request.max_steps = usual.max_steps;
      const auto execution = server.run(request);
      if (!execution) return tl::unexpected(execution.error());
      if (execution->failed()) return disproved(server, request, *execution, "a correct program failed");
      strategy.learn(observer.observe(*execution, detail));
      server.add_points(execution->learned);
    }
    return {};
  }

  // A way to replay, with how it differs from the execution that it repeats.
  struct ReplayWay {
    const char* name;
    uint32_t times;
    uint32_t added_flags = 0;
    uint32_t removed_flags = 0;
    bool fixed_addresses = true;
  };

  // The schedule as text is all that a replay gets: a fresh process, and the points that the text carries.
  Expected<void> check_replay(const ForkServer& server, const ExecutionRequest& request,
                              const Execution& execution, uint32_t replays) {
    using namespace trace::request_flag;
    const Recorded original = record(execution);
    const std::string text = trace::print_schedule(server.schedule_of(request, execution));
    const auto schedule = trace::parse_schedule(text, "the printed schedule");
    if (!schedule) return tl::unexpected(schedule.error());
    for (const ReplayWay& way :
         {ReplayWay{"as it was", replays}, ReplayWay{"without learning", 1, 0, kLearn},
          ReplayWay{"on kernel threads", 1, kOsThreads, kLearn},
          ReplayWay{.name = "with random addresses", .times = 1, .fixed_addresses = false}}) {
      if (!way.fixed_addresses && expectation_.addresses_matter) continue;
      const auto same = check_replay(original, *schedule, request.flags, way);
      if (!same) return same;
    }
    return {};
  }

  Expected<void> check_replay(const Recorded& original, const trace::Schedule& schedule, uint32_t flags,
                              const ReplayWay& way) {
    auto fresh = start(way.fixed_addresses);
    if (!fresh) return tl::unexpected(fresh.error());
    fresh->add_points(schedule.points);
    for (uint32_t replay = 1; replay <= way.times; ++replay) {
      auto again = request_for(schedule.then, (flags | way.added_flags) & ~way.removed_flags);
      again.injection = {};  // it is in the schedule
      again.schedule = &schedule;
      again.stop_at_divergence = true;
      const auto repeated = fresh->run(again);
      if (!repeated) return tl::unexpected(repeated.error());
      const auto difference = compare(original, *repeated);
      if (!difference) continue;
      const auto written = trace::write_schedule_file(schedule_path_, schedule);
      return internal_error(fmt::format(
          "replay {} ({} of {}) differs: {}\n  expected: {}: {}\n  happened: {}\n  schedule: {}", way.name,
          replay, way.times, *difference, trace::to_text(original.kind), original.message,
          describe(*repeated), written ? schedule_path_ : written.error().message));
    }
    return {};
  }

  static std::optional<std::string> compare(const Recorded& original, const Execution& repeated) {
    if (repeated.outcome.diverged_step != 0) {
      return fmt::format("step {} could not be followed", repeated.outcome.diverged_step - 1);
    }
    const Recorded other = record(repeated);
    if (other.kind != original.kind) return "another outcome";
    if (other.message != original.message) return "another message";
    if (other.hash != original.hash) {
      return fmt::format("trace hash {:016x} instead of {:016x}", other.hash, original.hash);
    }
    return std::nullopt;
  }

  std::string binary_;
  std::string schedule_path_;
  Expectation expectation_;
  uint64_t longest_steps_ = 0;
};

Expected<void> test_program(const std::string& source, const std::string& binary,
                            const std::string& schedule_path) {
  auto expectation = read_expectation(source);
  if (!expectation) return tl::unexpected(expectation.error());
  return ProgramTest(binary, schedule_path, std::move(*expectation)).run();
}

}  // namespace
}  // namespace heddle::programs

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: program_test SOURCE BINARY SCHEDULE\n");
    return 2;
  }
  const auto passed = heddle::programs::test_program(argv[1], argv[2], argv[3]);
  if (passed) return 0;
  fmt::print(stderr, "{}: {}\n", argv[2], passed.error().message);
  return 1;
}
