// The impact of a change of which there are only two traces of a test and a diff.
#pragma once

#include <memory>

#include "check/change_impact.h"
#include "impact/line_map.h"

namespace heddle {

// An error if they are traces of different tests, as far as the traces say. The map must outlive what it is
// used for.
Expected<std::unique_ptr<TestImpact>> compare_traces(trace::Trace base, trace::Trace head, const LineMap& map,
                                                     Symbolizer& symbolizer);

StatementsOfBoth statements_of(TestImpact& test, const LineMap& map);

}  // namespace heddle
