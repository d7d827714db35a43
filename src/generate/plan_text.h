// Plans as texts: what `driver --plan FILE` reads, and people too.
//
//   constructor 0        # Cache(2)
//   before 3             # put(1, "a")
//   thread 4             # take(1)
//   thread 3             # put(1, "a")
//   after 5              # size()
//   state
#pragma once

#include <string>

#include "generate/call_plan.h"
#include "generate/operation.h"

namespace heddle::generate {

std::string plan_text(const CallPlan& plan, const OperationTable& operations, bool wants_state = false);

}  // namespace heddle::generate
