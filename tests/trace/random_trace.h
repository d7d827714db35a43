// Random but valid traces and schedules, for properties that must hold for all of them.
#pragma once

#include <cstdint>

#include "trace/schedule.h"
#include "trace/trace.h"

namespace heddle::trace {

Trace random_trace(uint64_t seed);
Schedule random_schedule(uint64_t seed);

}  // namespace heddle::trace
