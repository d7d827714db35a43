// What executions add to a HapSet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "explore/effect.h"
#include "history/hapset.h"

namespace heddle {

// Adds what one execution shows. It should not have failed: what has been seen to be good is not tried again.
// Returns how many pairs were new.
size_t learn(const Observation& seen, HapSet* sets);

// Unlocks and posts, which are no statements of interest.
bool lets_go(const Effect& effect);

// A wait that ends by its timeout is another statement than one that is notified.
uint64_t statement_of(const Operation& operation, trace::StepKind chosen);

}  // namespace heddle
