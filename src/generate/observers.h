// Observers: what the object under test is asked when the threads of a test have ended.
#pragma once

#include <vector>

#include "generate/call_plan.h"
#include "generate/operation.h"
#include "support/error.h"

namespace heddle::generate {

// The first way to make each call that only looks, on a fresh object that lets it.
Expected<std::vector<OperationId>> choose_observers(CallRunner& runner, const OperationTable& operations,
                                                    OperationId constructor);

}  // namespace heddle::generate
