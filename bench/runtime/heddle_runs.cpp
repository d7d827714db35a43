#include "heddle_runs.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "common/median.h"
#include "common/temporary_folder.h"
#include "execute/fork_server.h"
#include "execute/learning.h"
#include "trace/trace_file.h"

namespace heddle::bench {
namespace {

// The benchmarks run far longer than a test does.
constexpr uint64_t kMaxSteps = 1'000'000'000;
constexpr std::chrono::minutes kTimeout{10};
// Recording every access of a quarter megabyte's compression.
constexpr uint64_t kEventCapacity = uint64_t{1} << 25;

ExecutionRequest request_for(const trace::PolicySpec& policy, uint32_t flags = 0) {
  ExecutionRequest request;
  request.policy = policy;
  request.flags = flags;
  request.max_steps = kMaxSteps;
  request.timeout = kTimeout;
  return request;
}

Expected<LearningResult> learn(ForkServer& server) {
  LearningOptions options;
  options.max_steps = kMaxSteps;
  options.timeout = kTimeout;
  return learn_points(server, options);
}

Expected<Execution> run_cleanly(ForkServer& server, const ExecutionRequest& request) {
  Expected<Execution> execution = server.run(request);
  if (execution && execution->failed()) {
    return internal_error(
        fmt::format("{} failed under heddle: {}", server.command().argv[0], execution->outcome.message));
  }
  return execution;
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

Expected<ControlledRun> run_controlled(const std::vector<std::string>& argv, const trace::PolicySpec& policy,
                                       int rounds, uint32_t flags) {
  Expected<ForkServer> server = ForkServer::start({argv});
  if (!server) return tl::unexpected(server.error());
  ControlledRun result;
  if (Expected<LearningResult> learnt = learn(*server); !learnt) return tl::unexpected(learnt.error());
  result.points = server->points().size();
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    Expected<Execution> execution = run_cleanly(*server, request_for(policy, flags));
    if (!execution) return tl::unexpected(execution.error());
    times.push_back(seconds(execution->cpu_time));
    result.steps = execution->steps();
    result.usage.max_rss_kb = std::max(result.usage.max_rss_kb, execution->max_rss_kb);
  }
  result.usage.cpu_seconds = median(times);
  return result;
}

Expected<double> seconds_per_execution(const std::vector<std::string>& argv, int executions) {
  const double before = cpu_seconds_so_far();
  {
    Expected<ForkServer> server = ForkServer::start({argv});
    if (!server) return tl::unexpected(server.error());
    if (Expected<LearningResult> learnt = learn(*server); !learnt) return tl::unexpected(learnt.error());
    for (int i = 0; i < executions; ++i) {
      const trace::PolicySpec policy{trace::PolicyKind::kRandom, 0, static_cast<uint64_t>(i)};
      Expected<Execution> execution = run_cleanly(*server, request_for(policy));
      if (!execution) return tl::unexpected(execution.error());
    }
  }  // the server is reaped here, so its time and its children's count
  return (cpu_seconds_so_far() - before) / executions;
}

Expected<Recording> measure_recording(const std::vector<std::string>& argv, RecordedEvents which,
                                      int rounds) {
  ForkServerOptions options;
  options.arena.event_capacity = kEventCapacity;
  Expected<ForkServer> server = ForkServer::start({argv}, std::move(options));
  if (!server) return tl::unexpected(server.error());
  if (Expected<LearningResult> learnt = learn(*server); !learnt) return tl::unexpected(learnt.error());
  uint32_t flags = trace::request_flag::kRecordEvents;
  if (which == RecordedEvents::kEveryAccess) flags |= trace::request_flag::kRecordAll;

  Recording result;
  std::vector<double> without, with;
  for (int round = 0; round < rounds; ++round) {
    Expected<Execution> plain = run_cleanly(*server, request_for({}));
    if (!plain) return tl::unexpected(plain.error());
    without.push_back(seconds(plain->cpu_time));
    Expected<Execution> recorded = run_cleanly(*server, request_for({}, flags));
    if (!recorded) return tl::unexpected(recorded.error());
    with.push_back(seconds(recorded->cpu_time));
    result.max_rss_kb = std::max(result.max_rss_kb, recorded->max_rss_kb);
    if (round > 0) continue;
    const TemporaryFolder folder;
    result.events = recorded->trace.events().size();
    for (auto [name, size] : {std::pair{"trace", &result.file_bytes}, {"trace.zst", &result.archive_bytes}}) {
      if (auto written = trace::write_trace(folder.file(name), recorded->trace); !written) {
        return tl::unexpected(written.error());
      }
      *size = std::filesystem::file_size(folder.file(name));
    }
  }
  result.seconds_without = median(without);
  result.seconds_with = median(with);
  return result;
}

}  // namespace heddle::bench
