// Busy waiting.
//
// A thread that re-reads the same values at the same places without writing anything cannot make progress
// until somebody changes one of them; running it only multiplies equivalent interleavings, and under a
// non-preemptive policy it would run for ever. Such a thread is parked: it is no candidate until another
// thread writes to a location it has read. Three rules keep this honest:
//   - a thread that makes many other accesses between two such reads works, and just looks whether to stop;
//   - a thread that holds locks is parked only once it has let go of them (polling under a mutex);
//   - when nothing else can run (and now and then under a random policy) a parked thread is released. It then
//     runs through its loop without giving way until it does something else or is parked again, and if there
//     is nobody else, for more rounds each time: so a bounded retry comes to its end, and only a real
//     livelock goes on.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Called for each read of a shared location (and failed try-lock or compare-exchange) after its point. What
// is no memory of the program (a lock, a channel) is one byte. With `patient` it takes more repetitions.
void spin_note_read(uintptr_t address, size_t size, uintptr_t pc, uint64_t value, bool patient = false);
// The current thread changed something, so it is not spinning.
inline void spin_note_progress() {
  rt.current->spin_count = 0;
  rt.current->spin_threshold = 0;
  rt.current->park_when_unlocked = false;
}
void spin_wake_slow(uintptr_t address, uintptr_t end);
// [address, address + size) is about to change: whoever spins on it may go on.
inline void spin_wake(uintptr_t address, size_t size) {
  if (HEDDLE_UNLIKELY(rt.parked_count != 0)) spin_wake_slow(address, address + size);
}
// Parks the current thread if it was found spinning, holds no lock any more, and `op` shows that it is still
// in its loop. Called at each point.
void spin_park_if_due(Fiber* fiber, const Op& op);
// The thread was released to run through its loop, and `op` still belongs to that.
bool spin_fast_forwards(Fiber* fiber, const Op& op);
// The thread stops, another one goes on.
void spin_note_switch(Fiber* from);
enum class SpinEnd {
  kProgress,    // something changed
  kTrial,       // to see whether its loop gives up
  kNobodyElse,  // the same, since nobody else can run
};
// It may run again.
void spin_release(Fiber* fiber, SpinEnd why);

}  // namespace heddle::rt
