#include "execute/execution.h"

#include <fmt/format.h>

namespace heddle {

void write_request(const ExecutionRequest& request, trace::RequestRecord& record) {
  record = {};
  record.policy = request.policy.kind;
  record.pct_depth = request.policy.depth;
  record.seed = request.policy.seed;
  record.pct_length = request.pct_length;
  record.max_steps = request.max_steps;
  record.flags = request.flags;
  record.spurious_wakeups = request.injection.spurious_wakeups;
  record.allocation_failures = request.injection.allocation_failures;
  if (request.schedule != nullptr) {
    record.exploration = request.schedule->exploration;
    record.exploration_first = request.schedule->exploration_first ? 1 : 0;
  }
  record.stop_at_divergence = request.stop_at_divergence ? 1 : 0;
}

std::string describe_divergence(const trace::Schedule& schedule, const trace::OutcomeRecord& outcome,
                                const trace::Trace& trace) {
  std::string wanted = "a thread that it does not name";
  bool exists = false;
  if (outcome.diverged_thread < schedule.threads.size()) {
    wanted = schedule.threads.name(outcome.diverged_thread);
    for (uint32_t i = 0; i < trace.threads().size(); ++i) exists = exists || trace.thread_name(i) == wanted;
  }
  return fmt::format("as choice {} of {} it wants {}, which {}", outcome.diverged_step, schedule.choices(),
                     wanted, exists ? "cannot run there" : "does not exist there");
}

}  // namespace heddle
