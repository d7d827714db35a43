// Whether a program does the same when it is executed twice under the same schedule.
//
// Heddle controls threads, time and the heap, but not what comes from outside: the real clock read by a bare
// system call, random numbers of the processor, files that the test itself changes. A search that is told
// different things by the same schedule cannot work, so the difference is looked for and named.
#pragma once

#include <optional>
#include <string>

#include "symbolize/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

// The first thing that differs, as a sentence: "event 131 is a write of `x` at a.cpp:12 by main/1 in one
// execution, and …". Nothing if the executions did the same.
std::optional<std::string> describe_difference(const trace::Trace& first, const trace::Trace& second,
                                               Symbolizer& symbolizer);

}  // namespace heddle
