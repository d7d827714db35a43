// Whether a test does the same again under the same schedule. What differs between two versions of one that
// does not need not come from the change.
#pragma once

#include <cstdint>
#include <optional>

#include "confirm/recording.h"
#include "execute/fork_server.h"
#include "support/error.h"
#include "trace/trace.h"

namespace heddle {

// The first event that two executions do not have in common, or the end of the shorter one.
std::optional<uint64_t> first_difference(const trace::Trace& one, const trace::Trace& other);

struct Divergence {
  uint64_t event = 0;
  trace::Trace other;  // of the second execution
};
// Executes the test again as it was recorded. The server is the one that has recorded it.
Expected<std::optional<Divergence>> repeat(ForkServer& server, const Recording& recording);

}  // namespace heddle
