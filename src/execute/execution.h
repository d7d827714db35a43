// ExecutionRequest and Execution: one run of a test under a schedule, as asked for and as it happened.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "execute/injection.h"
#include "trace/arena.h"
#include "trace/layout.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace heddle {

struct ExecutionRequest {
  // Followed first, then `policy` decides. Null: the policy alone. Only its steps are taken from here; its
  // points belong into the server (ForkServer::add_points), since a point set holds for many executions.
  const trace::Schedule* schedule = nullptr;
  trace::PolicySpec policy;
  // Not to be chosen after the schedule until something has happened that they depend on; threads are those
  // of the schedule.
  std::span<const trace::AsleepRecord> asleep;
  // For the policies that need them; see trace/arena.h.
  std::span<const uint64_t> statements;
  std::span<const uint64_t> estimates;
  std::span<const trace::ConstraintRecord> constraints;
  uint32_t flags = 0;                            // trace::request_flag
  bool stop_at_divergence = false;               // end the execution when the schedule cannot be followed
  uint64_t max_steps = trace::kDefaultMaxSteps;  // beyond this it is a livelock
  Injection injection;
  uint64_t pct_length = 0;                    // estimated number of steps, for the pct policy
  std::chrono::milliseconds timeout{60'000};  // wall clock; beyond this it is a hang
};

// The request as the runtime reads it, all but the schedule.
void write_request(const ExecutionRequest& request, trace::RequestRecord& record);

// Why an execution could not follow its schedule, as the second part of a sentence.
std::string describe_divergence(const trace::Schedule& schedule, const trace::OutcomeRecord& outcome,
                                const trace::Trace& trace);

// `trace` and `learned` look into the server's arena: they are valid until its next run.
struct Execution {
  trace::OutcomeRecord outcome{};
  trace::Trace trace;
  std::span<const trace::PointRecord> learned;
  std::string out;  // what the program printed, up to the server's limit
  std::string err;
  bool output_truncated = false;
  std::chrono::nanoseconds cpu_time{};
  uint64_t max_rss_kb = 0;
  uint32_t threads_created = 0;
  bool instrumented = false;      // the program called at least one of ThreadSanitizer's hooks
  bool server_restarted = false;  // the server died and was started again for this execution
  bool held_back = false;         // a thread that seemed to wait in a loop was not let run while others could
  bool left_control = false;      // it ended by exec or a bare system call: the trace does not show how

  std::string damage;      // what is wrong with the record of an execution that wrote over it; else empty
  std::string divergence;  // why the given schedule could not be followed; empty if it was

  bool abandoned() const { return outcome.abandoned != trace::Abandoned::kNo; }
  bool failed() const { return outcome.kind != trace::OutcomeKind::kOk; }
  uint64_t steps() const { return outcome.steps; }
};

}  // namespace heddle
