#include "explore/exploration.h"

namespace heddle {

Expected<ExplorationResult> explore(ForkServer& server, const StrategyFactory& make_strategy,
                                    const ExplorationLimits& limits, const ExecutionVisitor& visit) {
  using Clock = std::chrono::steady_clock;
  const auto started = Clock::now();
  ExplorationResult result;
  TraceObserver observer;
  std::unique_ptr<Strategy> strategy = make_strategy();
  while (std::optional<Plan> plan = strategy->next()) {
    const bool out_of_time = limits.budget && Clock::now() - started >= *limits.budget;
    if (out_of_time || result.executions == limits.max_executions) {
      result.end = ExplorationEnd::kBudget;
      return result;
    }
    ExecutionRequest request = observer.request_for(*plan, strategy->detail());
    request.flags |= limits.flags | trace::request_flag::kLearn;
    request.max_steps = limits.max_steps;
    request.timeout = limits.timeout;
    const Expected<Execution> execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++result.executions;
    const Observation seen = observer.observe(*execution, strategy->detail());
    result.blocked += seen.blocked ? 1 : 0;
    // It lies in the arena, which the visitor may use for another execution, under the points of this one.
    const std::vector<trace::PointRecord> learned(execution->learned.begin(), execution->learned.end());
    if (!visit(request, *execution)) {
      result.end = ExplorationEnd::kStopped;
      return result;
    }
    strategy->learn(seen);
    const bool more_points = server.add_points(learned) != 0;
    if (more_points && strategy->detail() != Detail::kOutcome) {
      ++result.restarts;
      strategy = make_strategy();
    }
  }
  result.claim = strategy->claim();
  return result;
}

}  // namespace heddle
