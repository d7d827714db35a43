// merge_outcome: one verdict from what the runtime announced and how the process ended.
#pragma once

#include <chrono>
#include <string_view>

#include "trace/layout.h"

namespace heddle {

struct ProcessEnd {
  int wait_status = 0;     // as from waitpid
  int start_error = 0;     // errno, if there was no process
  bool timed_out = false;  // the tool killed it at the deadline
  std::chrono::milliseconds timeout{};
  bool stop_at_divergence = false;  // as requested
};

// Whether the runtime ended the process where its schedule could not be followed, or since it was of no
// interest any more: then no failure is meant.
bool was_ended(const trace::OutcomeRecord& outcome, const ProcessEnd& end);

// A failure that the runtime announced stands: what happened to the process afterwards is a consequence.
trace::OutcomeRecord merge_outcome(const trace::OutcomeRecord& announced, const ProcessEnd& end);

// For executions of which less is known than an ok would claim; a failure stands.
void give_up_unless_failed(trace::OutcomeRecord& outcome, std::string_view message);

// Clears what refers to other tables of the trace.
void forget_places(trace::OutcomeRecord& outcome);

}  // namespace heddle
