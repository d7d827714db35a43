#include "check/stored_replay.h"

#include <algorithm>

#include "check/carried_schedule.h"
#include "check/same_test.h"
#include "execute/fork_server.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using namespace trace::request_flag;

// Each costs two executions at least, and what failed long ago was most likely mended.
constexpr size_t kMostSchedules = 16;
// A random schedule switches all the time, and each switch that is carried over costs an execution.
constexpr size_t kMostRuns = 200;

ExecutionRequest request_for(const trace::Schedule& schedule, std::chrono::milliseconds timeout) {
  ExecutionRequest request;
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = kRecordEvents | kRecordChoices | kRecordShared;
  if (!schedule.spin_parking) request.flags |= kNoSpinParking;
  if (schedule.detects_races) request.flags |= kDetectRaces;
  request.max_steps = schedule.max_steps;
  request.timeout = timeout;
  return request;
}

struct Followed {
  Execution execution;
  trace::Schedule schedule;
};

Expected<Followed> follow(ForkServer& server, const trace::Schedule& schedule,
                          std::chrono::milliseconds timeout) {
  const ExecutionRequest request = request_for(schedule, timeout);
  Expected<Execution> execution = server.run(request);
  if (!execution) return tl::unexpected(execution.error());
  execution->trace = execution->trace.clone();
  execution->learned = {};
  trace::Schedule made = server.schedule_of(request, *execution);
  return Followed{std::move(*execution), std::move(made)};
}

// With the points that the schedule was made with: its steps mean nothing else.
Expected<Followed> follow_exactly(const SuiteTest& test, const trace::Schedule& schedule,
                                  std::chrono::milliseconds timeout) {
  Expected<ForkServer> server = ForkServer::start(test.command);
  if (!server) return tl::unexpected(server.error());
  server->add_points(schedule.points);
  return follow(*server, schedule, timeout);
}

// The runs of the threads in an execution of the base, made by the head.
Expected<StoredReplay> carry_to_head(const std::vector<ThreadRun>& runs, const trace::Schedule& schedule,
                                     const ChangeImpact& change, std::chrono::milliseconds timeout,
                                     ForkServer& head, Symbolizer& symbolizer) {
  trace::Schedule carried = schedule;  // what else it says holds for the head, too
  const auto use_steps = [&](const trace::Schedule& steps) {
    carried.steps = steps.steps;
    carried.threads = steps.threads;
  };
  const auto execute = [&](const trace::Schedule& steps) {
    use_steps(steps);
    return head.run(request_for(carried, timeout));
  };
  const auto names = [&](const trace::Trace& trace) {
    TraceSymbols symbols(trace, symbolizer);
    VersionNames named = names_in_head(symbols, change.change().statements, change.head_files());
    named.part = nullptr;  // of memory, nobody asks
    return named;
  };
  const Expected<CarriedSchedule> made = carry_over(runs, {.execute = execute, .names = names});
  if (!made) return tl::unexpected(made.error());
  use_steps(made->schedule);
  Expected<Followed> followed = follow(head, carried, timeout);
  if (!followed) return tl::unexpected(followed.error());
  return StoredReplay{.execution = std::move(followed->execution),
                      .schedule = std::move(followed->schedule),
                      .followed = made->followed,
                      .of = runs.size(),
                      .unit = "switch",
                      .in_base = {},
                      .executions = made->executions + 1};
}

Expected<StoredReplay> follow_on_head(const SuiteTest& test, const trace::Schedule& schedule,
                                      std::chrono::milliseconds timeout) {
  Expected<Followed> followed = follow_exactly(test, schedule, timeout);
  if (!followed) return tl::unexpected(followed.error());
  const uint64_t of = schedule.choices();
  const uint64_t diverged = followed->execution.outcome.diverged_step;
  return StoredReplay{.execution = std::move(followed->execution),
                      .schedule = std::move(followed->schedule),
                      .followed = diverged == 0 ? of : diverged - 1,
                      .of = of,
                      .unit = "choice",
                      .in_base = {},
                      .executions = 1};
}

}  // namespace

std::vector<StoredSchedule> stored_schedules(const fs::path& folder, const TestCommand& test) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".schedule")
      files.emplace_back(entry.last_write_time(failed), entry.path());
  std::sort(files.rbegin(), files.rend());
  std::vector<StoredSchedule> found;
  for (const auto& [time, file] : files) {
    if (found.size() == kMostSchedules) break;
    Expected<trace::Schedule> schedule = trace::read_schedule_file(file.string());
    if (schedule && schedule->failure && is_same_test(schedule->command, test.argv))
      found.push_back({file, std::move(*schedule)});
  }
  return found;
}

Expected<StoredReplay> replay_stored(const trace::Schedule& schedule, const ChangeImpact& change,
                                     const TestOfBoth& test, ForkServer& head, Symbolizer& symbolizer) {
  const std::chrono::milliseconds timeout = change.timeout_of(*test.head);
  if (test.base == nullptr) return follow_on_head(*test.head, schedule, timeout);
  const Expected<Followed> of_base = follow_exactly(*test.base, schedule, change.timeout_of(*test.base));
  if (!of_base) return tl::unexpected(of_base.error());
  const auto is_of = [&](const std::string& build) { return !build.empty() && build == schedule.build_id; };
  std::vector<ThreadRun> runs;
  if (is_of(of_base->schedule.build_id) && !is_of(head.binary().build_id)) {
    TraceSymbols symbols(of_base->execution.trace, symbolizer);
    const VersionNames names = names_in_base(symbols, change.change().statements, change.base_files());
    runs = runs_of(ComparableTrace(of_base->execution.trace, names));
  }
  Expected<StoredReplay> result = !runs.empty() && runs.size() <= kMostRuns
                                      ? carry_to_head(runs, schedule, change, timeout, head, symbolizer)
                                      : follow_on_head(*test.head, schedule, timeout);
  if (!result) return result;
  ++result->executions;
  result->in_base = make_finding(of_base->execution.trace, symbolizer);
  return result;
}

}  // namespace heddle
