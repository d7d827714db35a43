// Matcher: which shared variables can race with each other because of the change.
#pragma once

#include <vector>

#include "select/shared_variable.h"

namespace heddle::select {

// Pairs that have a location in common, at least one impacted and at least one a write. Two atomic accesses
// do not race; they are a pair only if the change touches one of them, for what it publishes may.
std::vector<ImpactedPair> match(const std::vector<SharedVariable>& variables);

}  // namespace heddle::select
