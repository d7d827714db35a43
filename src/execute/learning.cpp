#include "execute/learning.h"

#include <algorithm>

namespace heddle {
namespace {

// Orders that are as different as possible first, then random ones. The seeds are fixed: what is learned must
// not depend on anything but the test.
trace::PolicySpec learning_policy(uint32_t execution) {
  if (execution == 0) return {.kind = trace::PolicyKind::kNonpreemptive};
  if (execution == 1) return {.kind = trace::PolicyKind::kRoundRobin};
  if (execution % 2 == 0) return {.kind = trace::PolicyKind::kRandom, .seed = execution};
  return {.kind = trace::PolicyKind::kPct, .depth = 2, .seed = execution};
}

}  // namespace

Expected<LearningResult> learn_points(ForkServer& server, const LearningOptions& options) {
  LearningResult result;
  uint32_t quiet = 0;
  while (quiet < options.quiet_executions && result.executions < options.max_executions) {
    ExecutionRequest request;
    request.policy = learning_policy(result.executions);
    request.flags = options.flags | trace::request_flag::kLearn;
    if (result.executions > 0) request.injection = options.injection;
    request.max_steps = options.max_steps;
    request.timeout = options.timeout;
    const Expected<Execution> execution = server.run(request);
    if (!execution) return tl::unexpected(execution.error());
    ++result.executions;
    result.longest_steps = std::max(result.longest_steps, execution->steps());
    quiet = server.add_points(execution->learned) == 0 ? quiet + 1 : 0;
    // Every further one would hang as well, each for the whole timeout.
    if (execution->outcome.kind == trace::OutcomeKind::kHang) return result;
  }
  result.settled = quiet >= options.quiet_executions;
  return result;
}

}  // namespace heddle
