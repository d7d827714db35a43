// Which tests came to code that a change touches: what classic regression test selection asks, for faults
// that need no second thread.
//
// It is asked of whole functions. Which of a function's blocks a changed statement is in, the text alone does
// not tell, and to run a test once is cheap.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "change/source_change.h"
#include "history/test_records.h"

namespace heddle {

// Of the tests that are recorded on the base. `flags`: files of the head that are compiled otherwise.
std::set<std::string> tests_reaching(const SourceChange& change,
                                     const std::map<std::string, std::string>& flags,
                                     const std::vector<KnownTest>& history);

}  // namespace heddle
