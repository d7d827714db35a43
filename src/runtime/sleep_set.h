// Sleep sets: choices that a search has made already and does not want again.
//
// After the given schedule the threads named in kInputAsleep are passed over, until something is executed
// that their next operation depends on (trace/dependence.h): only then would they do anything new. If nobody
// else can go on, the execution has nothing new to show and ends.
#pragma once

#include "runtime/recorder.h"
#include "runtime/runtime.h"
#include "runtime/scheduler.h"

namespace heddle::rt {

inline bool is_asleep(const Candidate& candidate) {
  return (candidate.fiber->asleep >> static_cast<uint32_t>(candidate.kind) & 1) != 0;
}

// The given schedule has been followed to its end: puts the threads to sleep.
void sleep_set_begin();
// The current thread has executed this.
void wake_dependent(const EventSpec& event);
// Something else has happened to the thread: what it will do is no longer what it was put to sleep with.
void wake_from_sleep(Fiber* fiber);

}  // namespace heddle::rt
