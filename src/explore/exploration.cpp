#include "explore/exploration.h"

#include <algorithm>

namespace heddle {
namespace {

// A signal comes between two steps of a thread, whatever they do: nothing that a reduction knows.
bool has_signals(const Observation& seen) {
  const auto is_signal = [](const Operation& operation) {
    return operation.kind == trace::EventKind::kSignalSend || operation.kind == trace::EventKind::kSignal;
  };
  return std::any_of(seen.steps.begin(), seen.steps.end(), [&](const ObservedStep& step) {
    return std::any_of(step.operations.begin(), step.operations.end(), is_signal);
  });
}

// Why there may be ways to go on that a search has not been shown; or nothing.
std::string_view find_doubt(const Execution& execution, const Observation& seen, Detail detail) {
  switch (execution.outcome.kind) {
    case trace::OutcomeKind::kLivelock:
      return "an execution came to the limit of steps";
    case trace::OutcomeKind::kHang:
    case trace::OutcomeKind::kKilled:
    case trace::OutcomeKind::kInternal:
      return "an execution did not come to its end";
    default:
      break;
  }
  if (execution.left_control) return "the program left heddle's control";
  if (!execution.damage.empty()) return "what was recorded of an execution is damaged";
  if (detail == Detail::kOperations && execution.trace.events_lost() != 0)
    return "an execution was too long to be recorded";
  if (has_signals(seen)) return "the program sends itself signals";
  return execution.held_back
             ? "how often threads look in vain in loops was not explored (--no-spin-parking does)"
             : "";
}

}  // namespace

void ExecutionSetting::apply(ExecutionRequest* request) const {
  request->flags |= flags;
  request->max_steps = max_steps;
  request->timeout = timeout;
  request->injection = injection;
}

Expected<ExplorationResult> explore(ForkServer& server, TraceObserver& observer, Strategy& strategy,
                                    const ExecutionSetting& setting, const ExplorationHooks& hooks) {
  ExplorationResult result;
  uint64_t longest_steps = 0;
  for (;;) {
    const std::optional<Plan> plan = strategy.next();
    if (!plan) {
      if (server.add_points(hooks.exchange_points({})) == 0) {
        result.is_over = true;
        break;
      }
      strategy.begin_again();
      continue;
    }
    const Detail detail = strategy.detail();
    ExecutionRequest request = observer.request_for(*plan, detail);
    setting.apply(&request);
    // A search takes each of them for a choice; it need not be rare.
    if (request.injection.spurious_wakeups != 0 && !trace::is_random(plan->then.kind))
      request.injection.spurious_wakeups = 1;
    request.flags |= trace::request_flag::kLearn;
    request.pct_length = longest_steps;
    const Expected<std::optional<Execution>> made = hooks.execute(request);
    if (!made) return tl::unexpected(made.error());
    if (!*made) break;
    const std::optional<Execution>& execution = *made;

    if (!execution->failed()) longest_steps = std::max(longest_steps, execution->steps());
    Observation seen = observer.observe(*execution, detail);
    result.blocked += seen.blocked ? 1 : 0;
    const std::string_view doubt = find_doubt(*execution, seen, detail);
    seen.unsure = !doubt.empty();
    if (result.doubt.empty()) result.doubt = doubt;
    // It lies in the arena, which the visitor may use for other executions, with the points of this one.
    std::vector<trace::PointRecord> learned(execution->learned.begin(), execution->learned.end());
    if (!hooks.visit(request, *execution)) break;
    strategy.learn(seen);
    if (seen.diverged && seen.steps.size() < plan->known) {
      ++result.divergences;
      if (!hooks.on_divergence(*plan)) break;
    }
    if (server.add_points(hooks.exchange_points(std::move(learned))) != 0) {
      ++result.restarts;
      result.doubt.clear();
      strategy.begin_again();
    }
  }
  result.claim = strategy.claim();
  result.pruned = strategy.pruned();
  if (result.divergences != 0) result.doubt = "the test is not deterministic";
  if (setting.injection.spurious_wakeups != 0) result.doubt = "there may be spurious wake-ups";
  result.claim.complete = result.claim.complete && result.is_over && result.doubt.empty();
  return result;
}

}  // namespace heddle
