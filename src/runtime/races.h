// Races: what is found is listed in the trace, each pair of code positions once, and makes the execution fail
// if it does not fail otherwise. The program runs on.
#pragma once

#include "detect/race_granule.h"
#include "runtime/shadow.h"

namespace heddle::rt {

// A place is a code position with its calling context and the thread: 48 bits in a PastAccess.
uint64_t race_place(const AccessPlace& place);

// An access as it is made, of which one granule has shown that it races.
struct RacingAccess {
  uintptr_t address;
  size_t size;
  const AccessPlace& place;
};

// `ordered`: `past` has freed the memory before.
void report_race(const detect::PastAccess& past, uintptr_t granule, const detect::PastAccess& now,
                 const RacingAccess& access, bool ordered);
// The access that races were reported of last has been recorded as the last event.
void note_race_event();
// The program says that races there do not matter.
void expect_races(uintptr_t address, size_t size);

void races_begin_execution();

}  // namespace heddle::rt
