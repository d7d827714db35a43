// Shadow memory: who has accessed what, and whether synchronisation ordered it.
//
// Every 8 bytes of the program's memory (a *granule*) are in a *state* with two halves: the interval
// (happens_before.h) of the last write and that of the last read. An interval is 0 if there was none or every
// thread knows of it. The read half is that of kReadSharedSlot if threads have read it in no order since the
// last write. The state is kShared once some two accesses were not ordered: from then on, every access is a
// scheduling point. kHandedOver is set in both halves when a thread touches what another one wrote (or writes
// what another one touched) with the order assured: such accesses are recorded but are no points. What is
// learned of earlier executions (point_set.h) is applied by setting kShared or kHandedOver when memory comes
// into being.
//
// Shadow memory holds the states' indices in a table, the *stamps*, which take half the cache. New ones are
// only made, never changed, and each *slice* of a thread's interval (until it is switched away from or begins
// another interval) makes its own. So a granule whose stamp is from the running slice has been accessed in
// it, and nothing is left to do: that is the one comparison of the fast path.
//
// When races are to be detected, stamps stand for lists of accesses instead (race_shadow.h).
#pragma once

#include "runtime/address_space.h"
#include "runtime/happens_before.h"
#include "runtime/runtime.h"

namespace heddle::rt {

using Stamp = uint32_t;
inline constexpr Stamp kWritten = 1u << 31;   // beside the index: written in the slice that made the stamp
inline constexpr Stamp kNoStamp = ~kWritten;  // as the beginning of the slice: nothing passes
inline constexpr Stamp kFreshStamp = 0;
inline constexpr Stamp kSharedStamp = 1;      // learned: a point
inline constexpr Stamp kHandedOverStamp = 2;  // learned: known to change hands

// What the fast path compares with. Kept apart from `rt` so that it addresses them directly.
extern Stamp slice_begin __attribute__((visibility("hidden")));
extern Stamp written_slice_begin __attribute__((visibility("hidden")));  // with kWritten
// Several threads have read it and all know the last write.
extern Stamp read_shared_stamp __attribute__((visibility("hidden")));

// The shifts also bring non-canonical addresses into range: the program's own access shall crash, not ours.
inline Stamp* stamp_of(uintptr_t address) {
  return reinterpret_cast<Stamp*>(kShadowBase) + ((address << 18) >> 21);
}

// Whether an access to the granule has nothing to do. Nothing passes while accesses are recorded.
template <bool kIsWrite>
inline __attribute__((always_inline)) bool passes(const Stamp* stamp) {
  if constexpr (kIsWrite)
    return HEDDLE_LIKELY(*stamp >= written_slice_begin);
  else
    return HEDDLE_LIKELY((*stamp & ~kWritten) >= slice_begin) || *stamp == read_shared_stamp;
}

// What touching some granules has shown. Bits, since flags of a byte each are slow to collect and return.
using Touched = uint32_t;
inline constexpr Touched kNotPassed = 1;  // would not have passed even if nothing were recorded
inline constexpr Touched kTouchedPoint = 2;
inline constexpr Touched kTouchedHandedOver = 4;

// Where in the program an access is, for reports of races.
struct AccessPlace {
  uintptr_t pc;
  uint16_t flags;  // trace::event_flag
  bool frees;
};

// The running thread accesses the range.
Touched shadow_touch(uintptr_t address, size_t size, bool write, const AccessPlace& place);
// As above by an atomic operation: here it is not the order that counts, but whether there are two threads,
// since atomics are what makes the order.
Touched shadow_touch_atomic(uintptr_t address, size_t size, bool write);

void shadow_init();
// The range begins a new life (allocation) or has ended one (unmap).
void shadow_clear(uintptr_t address, size_t size);
// The range has ended its life by the running thread's doing; what others still do to it is not ordered.
void shadow_freed(uintptr_t address, size_t size, uintptr_t pc);
// What is known of memory that has just come into being.
void shadow_mark(uintptr_t address, size_t size, trace::PointGrade grade);

// For executions that follow one another in one process. Forgets all accesses and marks; from then on, if
// `put_back`, changes are noted so that shadow_put_back() can undo those of one execution. That is false if
// there were too many: then everything has been forgotten, marks included.
void shadow_forget(bool put_back);
bool shadow_put_back();
// A mark that is put back as well: the memory means something else in the next execution.
void shadow_mark_for_now(uintptr_t address, size_t size, trace::PointGrade grade);

// Another thread runs now, or the running one begins another interval.
void begin_slice();
// All threads but one are gone, so everything so far is ordered before all that follows.
void begin_phase();

}  // namespace heddle::rt
