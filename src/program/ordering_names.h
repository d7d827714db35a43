// Which functions order threads without being locks, by their names: starting and joining threads, condition
// variables, semaphores, latches, barriers, futures, waits on atomics.
#pragma once

#include "program/facts.h"

namespace heddle::program {

bool is_ordering_operation(const Symbol& symbol);

}  // namespace heddle::program
