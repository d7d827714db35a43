// How large the value of a node can be at most, whatever the input: a number of few digits is never too
// large, so that comparisons that guard against it are no branches, and cost the solver nothing.
#pragma once

#include "interact/concolic/layout.h"

namespace heddle::concolic {

uint64_t upper_bound(uint32_t handle);

// Of a node that is about to be made; kept for its handle by keep_bound().
uint64_t bound_of(const Node& node);
bool keep_bound(uint32_t handle, uint64_t bound);

// Whether a comparison has the same result for all values within the bounds.
enum class Always { kNot, kTrue, kFalse };
Always always(Operation comparison, uint32_t a, uint32_t b);

}  // namespace heddle::concolic
