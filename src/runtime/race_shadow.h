// Shadow memory of executions that detect races: exactly which accesses to each 8 bytes can still race.
//
// A stamp (shadow.h) is the index of a *record*: a list of past accesses (detect/race_granule.h), each with
// its interval, the bytes of the granule that it touched, and its place in the program. Records are shared by
// the granules that have the same history (most neighbours have), and are made, never changed; so that a
// stamp of the running slice still says that nothing is left to do, under two conditions that its bits tell:
// kFull, all eight bytes have been accessed in the slice; kWritten, all have been written. An access that
// finds less compares itself with the list. What an access makes of a stamp is remembered for the rest of the
// slice (`Transition`), since it will make the same of the neighbours.
//
// Records of scheduling points, and long ones, belong to one granule and are changed in place.
//
// New records are appended. Now and then those that no granule refers to are dropped: the others are copied
// to the other half of the memory (collect()), for which the parts of the shadow in use are listed.
#pragma once

#include "runtime/shadow.h"

namespace heddle::rt {

// Compares the access with what is known of the range, notes it, and reports races (races.h). A range that
// is freed is compared only.
Touched race_shadow_touch(uintptr_t address, size_t size, bool write, bool atomic, const AccessPlace& place);
// As race_shadow_touch() for a plain access of up to 16 bytes.
Touched race_shadow_access(uintptr_t address, uint32_t size, bool write, const AccessPlace& place);
// The same for an atomic operation.
Touched race_shadow_atomic(uintptr_t address, uint32_t size, bool write, uintptr_t pc);
// The range has been freed at `pc`: from now on, an access to it is a use after free.
void race_shadow_freed(uintptr_t address, size_t size, uintptr_t pc);
// Returns what a stamp must reach to be of the slice of `fiber` that begins.
Stamp race_shadow_begin_slice(const Fiber* fiber);

// With shadow_forget() and shadow_put_back().
void race_shadow_forget();
void race_shadow_put_back();

}  // namespace heddle::rt
