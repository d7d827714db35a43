// Recording: one execution of a test as detectors and predictors want to see it.
//
// First a few executions learn what memory the threads share. Then every access to such memory is made a
// scheduling point, also where synchronisation decided the order: a prediction is about what happens if it
// decides otherwise, and its witness must be able to switch there.
#pragma once

#include <cstdint>
#include <span>

#include "execute/fork_server.h"
#include "execute/learning.h"
#include "support/error.h"
#include "trace/trace.h"

namespace heddle {

struct RecordingOptions {
  trace::PolicySpec policy;  // that makes the schedule
  uint32_t flags = 0;        // more request flags
  uint64_t max_steps = trace::kDefaultMaxSteps;
  std::chrono::milliseconds timeout{60'000};
  uint32_t quiet_executions = LearningOptions{}.quiet_executions;  // of learning
};

struct Recording {
  Execution execution;  // with a trace of its own
  ExecutionRequest request;
  LearningResult learning;

  const trace::Trace& trace() const { return execution.trace; }
};

// Changes the server's points, which is what makes schedules found in the trace mean something to it.
Expected<Recording> record_test(ForkServer& server, const RecordingOptions& options);

// The same for tests of which the server knows most points already: the recording itself teaches, and is made
// again if it has taught anything. Memory that only other schedules share is not known then.
Expected<Recording> record_known_test(ForkServer& server, const RecordingOptions& options);

// The two halves of record_test(), for those who want several recordings of one test.
Expected<LearningResult> learn_test(ForkServer& server, const RecordingOptions& options);
Expected<Recording> record_execution(ForkServer& server, const RecordingOptions& options);
// `statements`: keys of places that the policy is about (place.h).
Expected<Recording> record_execution(ForkServer& server, const RecordingOptions& options,
                                     std::span<const uint64_t> statements);

}  // namespace heddle
