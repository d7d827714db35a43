// merge_outcome: one verdict from what the runtime announced and how the process ended.
#pragma once

#include <chrono>

#include "trace/layout.h"

namespace heddle {

struct ProcessEnd {
  int wait_status = 0;     // as from waitpid
  bool timed_out = false;  // the tool killed it at the deadline
  std::chrono::milliseconds timeout{};
  bool stop_at_divergence =
      false;  // as requested: the runtime then ends the process, and no failure is meant
};

// A failure that the runtime announced stands: what happened to the process afterwards is a consequence.
trace::OutcomeRecord merge_outcome(const trace::OutcomeRecord& announced, const ProcessEnd& end);

}  // namespace heddle
