#include "execute/execution.h"

namespace heddle {

void write_request(const ExecutionRequest& request, trace::RequestRecord& record) {
  record = {};
  record.policy = request.policy.kind;
  record.pct_depth = request.policy.depth;
  record.seed = request.policy.seed;
  record.pct_length = request.pct_length;
  record.max_steps = request.max_steps;
  record.flags = request.flags;
  record.stop_at_divergence = request.stop_at_divergence ? 1 : 0;
}

}  // namespace heddle
