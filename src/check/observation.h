// What an execution shows of a test, in the words of the source: TestRecord::functions and the rest.
#pragma once

#include "check/source_names.h"
#include "execute/execution.h"
#include "history/test_record.h"
#include "symbolize/symbolizer.h"

namespace heddle {

// Of an execution whose events, coverage and races were recorded. Blocks and accesses in files that are not
// the project's are left out; one in a system header that a function of the project has called inline counts
// as that function's line. Findings, key and times are for the caller to add.
TestRecord observe(const Execution& execution, Symbolizer& symbolizer, SourceNames& names);

// What a further execution of the same test did as well. How it ended does not matter.
void add_observation(const TestRecord& further, TestRecord* record);

}  // namespace heddle
