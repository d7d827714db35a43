// Whether what a thread is about to do depends on what another one does (trace/dependence.h has the
// relation).
#pragma once

#include "runtime/recorder.h"
#include "runtime/runtime.h"

namespace heddle::rt {

// `looks_only`: the pending operation is known to change nothing, such as a compare-exchange that fails.
bool depends(const Op& pending, bool looks_only, const EventSpec& executed);
bool depends(const Op& pending, const Op& other);

}  // namespace heddle::rt
