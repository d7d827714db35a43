// What a concurrent test must not do, since it would be wrong whatever the class does.
#pragma once

#include "generate/call_plan.h"
#include "generate/operation.h"

namespace heddle::generate {

// Whether one thread moves from what another one uses as well: the result of a call before the threads began,
// or the second object.
bool uses_what_is_moved_from(const CallPlan& plan, const OperationTable& operations);

}  // namespace heddle::generate
