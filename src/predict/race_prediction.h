// Sync-preserving races: pairs of accesses that another schedule executes one right after the other.
//
// SyncP of POPL'21 (see ideal.h). Two conflicting accesses of different threads race if the ideal of what
// must come before them contains neither: then the ideal in the order of the trace is a schedule after which
// both are next. Sound: every race reported can be executed. Complete for its class: of the reorderings that
// keep the order of critical sections none is overlooked, so races that happens-before detectors miss, since
// the critical sections came in a lucky order, are found.
#pragma once

#include <cstdint>

#include "predict/focus.h"
#include "predict/prediction.h"
#include "predict/trace_model.h"

namespace heddle {

struct RaceOptions {
  Focus focus;
  bool only_focus = false;  // both accesses are to be in focus
  // Of all races between the same two sites (in either order) at one variable (see trace/variable_key.h) one
  // is reported. None of these classes is missed, as long as no limit is reached.
  uint64_t max_races = 10000;
  // Links that the search may follow for each event of the trace, on average. Traces that need more than a
  // few have not been seen; the limit keeps the time linear in any case.
  uint64_t max_work_per_event = 100;
  // After how many events at least accesses are forgotten that cannot race any more.
  uint32_t forget_every = 4096;
  // For the pasts of threads: each takes room in proportion to all threads and locks. Threads that begin when
  // it is used up are left out.
  uint64_t max_memory_bytes = uint64_t{1} << 30;
};

Predictions predict_races(const TraceModel& model, const RaceOptions& options = {});

// The same question about one pair, answered from scratch. `witness` may be null.
bool is_sync_preserving_race(const TraceModel& model, EventIndex first, EventIndex second,
                             Witness* witness = nullptr);

}  // namespace heddle
