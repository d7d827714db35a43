// The loop of `heddle explore`: plan, execute, learn.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "execute/fork_server.h"
#include "explore/observe_trace.h"
#include "explore/strategy.h"
#include "support/error.h"

namespace heddle {

// How executions are made, whatever their schedule.
struct ExecutionSetting {
  uint32_t flags = 0;  // trace::request_flag that change what is executed
  uint64_t max_steps = trace::kDefaultMaxSteps;
  std::chrono::milliseconds timeout{60'000};
  Injection injection;

  void apply(ExecutionRequest* request) const;
};

struct ExplorationHooks {
  // Makes an execution; nothing: no more are wanted.
  std::function<Expected<std::optional<Execution>>(const ExecutionRequest&)> execute;
  // Shown every execution while it is valid; false: no more are wanted. It may use the server itself.
  std::function<bool(const ExecutionRequest&, const Execution&)> visit;
  // Given what an execution has shown to be shared; returns that, and what others have found.
  std::function<std::vector<trace::PointRecord>(std::vector<trace::PointRecord>)> exchange_points;
  // What was executed before in this order could not be executed again. False: end here.
  std::function<bool(const Plan&)> on_divergence;
};

struct ExplorationResult {
  bool is_over = false;      // the strategy has nothing left to try
  uint64_t blocked = 0;      // executions that ended since they had nothing new to show
  uint64_t restarts = 0;     // of the search, since new scheduling points came to light
  std::string doubt;         // why something may have been missed although the search is over; or empty
  uint64_t pruned = 0;       // see Strategy::pruned
  uint64_t divergences = 0;  // of executions that should have repeated others
  Claim claim;
};

Expected<ExplorationResult> explore(ForkServer& server, TraceObserver& observer, Strategy& strategy,
                                    const ExecutionSetting& setting, const ExplorationHooks& hooks);

}  // namespace heddle
