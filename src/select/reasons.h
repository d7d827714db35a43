// Reasons: pairs in words, for people.
#pragma once

#include <string>

#include "select/coverage.h"
#include "select/impact.h"

namespace heddle::select {

// "`Cache::get` line 41 reads and `Cache::evict` line 88 writes `Cache::size_`; this change …"
std::string describe_pair(const ChangedProgram& changed, const ImpactedPair& pair);
// The same, with the threads that the test executes them in.
std::string describe_covered_pair(const ChangedProgram& changed, const ImpactedPair& pair,
                                  const Coverage& coverage, TestIndex test);

}  // namespace heddle::select
