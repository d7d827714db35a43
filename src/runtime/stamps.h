// What the two kinds of shadow (shadow.cpp, race_shadow.cpp) have in common.
#pragma once

#include "runtime/shadow.h"

namespace heddle::rt {

extern Stamp my_slice_begin __attribute__((visibility("hidden")));   // as slice_begin, also while recording
extern Stamp my_shared_stamp __attribute__((visibility("hidden")));  // as read_shared_stamp, the same

// While executions follow one another in this process (world.h), the stamps that one leaves behind are put
// back before the next. A stamp below `undo_mark` is from before the execution; 0: nothing is put back.
extern Stamp undo_mark __attribute__((visibility("hidden")));
void note_for_undo(Stamp* at);

inline void set_stamp(Stamp* at, Stamp stamp) {
  if (HEDDLE_UNLIKELY((*at & ~kWritten) < undo_mark)) note_for_undo(at);
  *at = stamp;
}

// passes(), also while recording.
inline bool would_pass(Stamp stamp, bool write) {
  if (write) return stamp >= (my_slice_begin | kWritten);
  return (stamp & ~kWritten) >= my_slice_begin || stamp == my_shared_stamp;
}

}  // namespace heddle::rt
