// The loop of `heddle explore`: plan, execute, learn.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "execute/fork_server.h"
#include "explore/observe_trace.h"
#include "explore/strategy.h"
#include "support/error.h"

namespace heddle {

struct ExplorationLimits {
  std::optional<std::chrono::milliseconds> budget;  // wall clock
  std::optional<uint64_t> max_executions;
  uint64_t max_steps = trace::kDefaultMaxSteps;  // of one execution
  std::chrono::milliseconds timeout{60'000};     // of one execution
  uint32_t flags = 0;                            // trace::request_flag that change what is executed
};

enum class ExplorationEnd { kSearchIsOver, kBudget, kStopped };

struct ExplorationResult {
  ExplorationEnd end = ExplorationEnd::kSearchIsOver;
  uint64_t executions = 0;
  uint64_t blocked = 0;   // of them: ended since they had nothing new to show
  uint64_t restarts = 0;  // of the search, since new scheduling points came to light
  Claim claim;
};

// Makes the strategy afresh: a systematic search begins again when there are more scheduling points than it
// knew.
using StrategyFactory = std::function<std::unique_ptr<Strategy>()>;
// Shown every execution while it is valid; false: no more are wanted.
using ExecutionVisitor = std::function<bool(const ExecutionRequest&, const Execution&)>;

Expected<ExplorationResult> explore(ForkServer& server, const StrategyFactory& make_strategy,
                                    const ExplorationLimits& limits, const ExecutionVisitor& visit);

}  // namespace heddle
