// Sync-preserving deadlocks: acquisitions at which another schedule lets threads wait for each other.
//
// SPD of PLDI'23 (Tunç, Mathur, Pavlogiannis, Viswanathan: "Sound dynamic deadlock prediction in linear
// time"). A pattern is a cycle of acquisitions by different threads, each of a lock that the next one's
// thread holds, and no two of them under locks that exclude each other (a gate). It is a deadlock if the
// ideal of what must come before the acquisitions contains none of them. Sound, and complete for schedules
// that keep the order of critical sections.
//
// Readers do not wait for readers. A try-lock or timed lock does not wait for ever, so it can hold a lock of
// the cycle but not be what waits.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/focus.h"
#include "predict/prediction.h"
#include "predict/trace_model.h"

namespace heddle {

struct DeadlockOptions {
  Focus focus;               // on acquisitions: those at which threads would wait
  uint32_t max_threads = 5;  // in one cycle
  uint64_t max_deadlocks = 1000;
  // Acquisitions that agree in thread, lock and locks held are one; this many cycles of such are looked at,
  // short ones first.
  uint64_t max_cycles = 200000;
  // How many acquisitions the search for cycles may look at.
  uint64_t max_steps = 20000000;
  uint64_t max_memory_bytes = uint64_t{512} << 20;
};

// One deadlock for each cycle of (thread, lock, locks held) that has one; of several with the same sites one.
// The events of a Prediction are in the order of the cycle: each thread waits for the next one's.
Predictions predict_deadlocks(const TraceModel& model, const DeadlockOptions& options = {});

// Whether these acquisitions, in this order, are a pattern; and one that is a deadlock. `witness` may be
// null.
bool is_sync_preserving_deadlock(const TraceModel& model, const std::vector<EventIndex>& acquisitions,
                                 Witness* witness = nullptr);

}  // namespace heddle
