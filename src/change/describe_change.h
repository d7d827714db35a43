// A change in words: what `heddle change show` prints.
#pragma once

#include <string>

#include "change/source_change.h"

namespace heddle {

// Counts: "2 files, 3 functions, 5 statements".
std::string summarize(const SourceChange& change);

// File by file, functions with their statements; then declarations, and text outside functions that was not
// understood. "+" is new, "-" gone, "~" not the same; of a statement that means something else though its
// text is the same, the reason follows.
std::string describe(const SourceChange& change);

}  // namespace heddle
