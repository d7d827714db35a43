// Stories of what events of a trace show or could do, as opposed to how an execution ended.
//
// The trace is the one in which it was predicted, or that of an execution which did it: names and
// fingerprints are the same. Numbers of events are indices into the trace's events.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/story.h"

namespace heddle {

// Two accesses, the second of which comes later in the trace.
trace::RaceRecord race_between(const trace::Trace& trace, uint64_t first, uint64_t second);
FailureStory tell_race_between(ReportContext& context, uint64_t first, uint64_t second);

// Threads that each hold one lock and are about to take the next one's. Events are given as they are, since
// one that streamed by is in no trace.
struct LockCycleEdge {
  trace::EventRecord acquire{};  // at which it would wait
  trace::EventRecord held{};     // with which it took what another one waits for
  uint64_t acquire_number = 0;
  uint64_t held_number = 0;
};
// The cycle of the threads that are about to make these acquisitions.
std::vector<LockCycleEdge> lock_cycle_of(const ReportContext& context, const std::vector<uint64_t>& acquires);
// `is_certain`: it follows from the trace that some schedule leads there.
FailureStory tell_lock_cycle(ReportContext& context, const std::vector<LockCycleEdge>& cycle,
                             bool is_certain);

// What accesses are called that no pattern describes: what happens is then told from the accesses.
inline constexpr std::string_view kNotSerializable = "not serializable";

// Accesses of a unit of work with those of another thread between them. `name` is what the finding is called
// ("pattern 1", or kNotSerializable), `meaning` what a pattern means ("the update is based on a stale
// value").
FailureStory tell_pattern(ReportContext& context, std::string_view name, std::string_view meaning,
                          const std::vector<uint64_t>& events);

}  // namespace heddle
