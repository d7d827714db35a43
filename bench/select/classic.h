// Classic selection (DEJAVU): the tests that have executed a block which the change touches, in whatever
// thread. What heddle's own selection is compared with.
#pragma once

#include <string>
#include <vector>

#include "change/source_change.h"
#include "history/test_records.h"
#include "program/program.h"

namespace heddle::bench {

// Of `tests`, in their order; also those without a record of the base.
std::vector<std::string> classic_selection(const program::Program& base, const SourceChange& change,
                                           const std::vector<KnownTest>& history,
                                           const std::vector<std::string>& tests);

}  // namespace heddle::bench
