// Torn accesses: the moments at which a shared location changed under a thread's hands.
//
// A thread reads a location, another one writes it, and the first goes on with what it read: it writes a
// value made of the old one (a lost update, a check that no longer holds when it is acted upon), or reads it
// again and sees something else. Of the unserialisable patterns of AVIO (Lu et al., ASPLOS'06) these are the
// two that explain failures; they are hints for the reader of a report, not findings.
#pragma once

#include <cstdint>
#include <vector>

#include "report/story.h"
#include "trace/trace.h"

namespace heddle {

struct TornAccess {
  uint64_t read = 0;  // numbers of the three events
  uint64_t between = 0;
  uint64_t then = 0;
};

// At most `limit` of them on `locations`, latest first. A second read counts only for `failed_thread`, and
// only its latest: every loop that polls reads twice. Nor does it count after a wait, which is there to let
// others write.
std::vector<TornAccess> find_torn_accesses(const trace::Trace& trace,
                                           const std::vector<LocationRange>& locations,
                                           uint32_t failed_thread, size_t limit);

// Checks that no longer held when they were relied on: a thread looked in one critical section, in which it
// wrote nothing, another one wrote, and in the next critical section of the same call the thread uses what
// has been written. Locks hide these from find_torn_accesses(), since every access for itself is safe. `read`
// is where the thread took the lock if the trace does not show that it read the location itself: what is
// inside a container of the library is often written by code that is not instrumented. Latest first; a thread
// that waited in between knows that what it saw may have changed.
std::vector<TornAccess> find_broken_checks(const trace::Trace& trace);

}  // namespace heddle
