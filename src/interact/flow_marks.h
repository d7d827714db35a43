// What follows from the edges of a flow: where statements start and end, and what exceptions pass through.
#pragma once

#include "interact/flow.h"

namespace heddle::interact {

// Sets is_start and is_end of the points from `first` on, which are the last procedure's. What belongs to no
// statement lies between points of the same one without ending it.
void mark_starts_and_ends(Flow& flow, PointIndex first);

// A call that waits for no exception throws what its callees throw.
void spread_throws(Flow& flow);

}  // namespace heddle::interact
