// The smallest schedule that shows a failure: fewest preemptions, then fewest steps.
//
// A failure that was found at random, or late in a search, is buried under switches that have nothing to do
// with it. First the switches are taken away one by one, as long as the same failure still shows; then
// schedules with no more preemptions are searched from the cheapest on, as far as the limit allows.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "execute/fork_server.h"
#include "explore/exploration.h"
#include "explore/observe_trace.h"
#include "support/error.h"

namespace heddle {

struct MinimizeOptions {
  uint64_t max_executions = 2000;
  std::chrono::milliseconds budget{3'000};
};

struct MinimizedFailure {
  std::vector<Choice> choices;  // all of the execution
  uint64_t preemptions = 0;
  uint64_t executions = 0;  // that it took
};

// `failing`: the choices of the execution, by the observer's threads. `is_same`: whether an execution shows
// the same failure. If even the given choices do not show it again, the answer has none.
Expected<MinimizedFailure> minimize(ForkServer& server, TraceObserver& observer,
                                    const ExecutionSetting& setting, const std::vector<Choice>& failing,
                                    const std::function<bool(const Execution&)>& is_same,
                                    const MinimizeOptions& options = {});

// Switches away from a thread that could have gone on. Whom a notify wakes is none.
uint64_t count_preemptions(const std::vector<ObservedStep>& steps);

}  // namespace heddle
