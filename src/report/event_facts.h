// What kinds of events mean for a report: which touch memory, which word a person would use for them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "report/story.h"
#include "trace/trace.h"

namespace heddle {

bool is_access(trace::EventKind kind);
bool is_write(trace::EventKind kind);
// Something that happens between threads, as opposed to within memory or the runtime library.
bool is_synchronisation(trace::EventKind kind);
// Takes a lock, if the event did not fail.
bool is_acquire(trace::EventKind kind);

// Lets others go on: what the thread knew before may have changed after it, as its program expects.
bool gives_way(trace::EventKind kind);

// The bytes that an event is about; object 0 if it is about none.
LocationRange range_of(const trace::EventRecord& event);

// "read", "lock", "wait": short enough for a column.
std::string_view verb(const trace::EventRecord& event);

// Reports look at the end of an execution; what came long before it is looked up only if a key event is
// there.
inline constexpr size_t kReportWindow = 50'000;

// The index in events() from which on a report looks at everything.
size_t window_begin(const trace::Trace& trace);

// Locations that `thread` used just before the end and that other threads accessed in conflict, latest first.
// If it used none, those where any two threads conflicted last.
std::vector<LocationRange> recent_conflicts(const TraceSymbols& symbols, uint32_t thread);

}  // namespace heddle
