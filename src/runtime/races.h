// Races: what is found is listed in the trace, each pair of code positions once for some of the calling
// contexts it has, and makes the execution fail if it does not fail otherwise. The program runs on.
#pragma once

#include "detect/race_granule.h"
#include "runtime/recorder.h"
#include "runtime/shadow.h"

namespace heddle::rt {

// The calling context of the running thread, which its last frame knows, mostly.
inline uint32_t current_context() {
  Fiber* self = rt.current;
  const size_t depth = self->depth;
  if (depth == 0) return 0;
  if (HEDDLE_LIKELY(depth <= kMaxFrames)) {
    if (const uint32_t context = self->frames[depth - 1].context; HEDDLE_LIKELY(context != 0)) return context;
  }
  return context_of(self);
}

// A place is a code position with its calling context, which are numbered, and the thread: 48 bits in a
// PastAccess.
struct CodePlace {
  uintptr_t pc;
  uint32_t site;
  uint32_t context;
};
namespace place_bits {
inline constexpr unsigned kPlaceBits = 28;
inline constexpr size_t kMaxPlaces = size_t{1} << kPlaceBits;
inline constexpr unsigned kThreadBits = 16;
static_assert(kMaxFibers <= 1u << kThreadBits);
inline constexpr uint64_t kIsVptr = uint64_t{1} << (kPlaceBits + kThreadBits);
inline constexpr uint64_t kIsRange = kIsVptr << 1;
}  // namespace place_bits

extern CodePlace* places __attribute__((visibility("hidden")));
// Numbers looked up last, by a hash of what they stand for.
extern uint32_t* recent_places __attribute__((visibility("hidden")));
inline constexpr unsigned kRecentPlaceBits = 12;
inline constexpr size_t kRecentPlaces = size_t{1} << kRecentPlaceBits;

uint32_t find_race_place(uintptr_t pc, uint32_t context);

inline uint64_t race_place(const AccessPlace& place) {
  const uint32_t context = current_context();
  const uint64_t hash = (place.pc ^ uint64_t{context} << 21) * 0x9e3779b97f4a7c15ull;
  uint32_t& recent = recent_places[hash >> (64 - kRecentPlaceBits)];
  const CodePlace& known = places[recent];
  if (HEDDLE_UNLIKELY(known.pc != place.pc || known.context != context))
    recent = find_race_place(place.pc, context);
  uint64_t where = recent | uint64_t{rt.current->index} << place_bits::kPlaceBits;
  if (HEDDLE_UNLIKELY(place.flags != 0)) {
    if ((place.flags & trace::event_flag::kVptr) != 0) where |= place_bits::kIsVptr;
    if ((place.flags & trace::event_flag::kRange) != 0) where |= place_bits::kIsRange;
  }
  return where;
}

// An access as it is made, of which one granule has shown that it races.
struct RacingAccess {
  uintptr_t address;
  size_t size;
  const AccessPlace& place;
};

// `ordered`: `past` has freed the memory before.
void report_race(const detect::PastAccess& past, uintptr_t granule, const detect::PastAccess& now,
                 const RacingAccess& access, bool ordered);
// The last event is `event`: the access of which a race was reported, perhaps.
void note_race_event(const trace::EventRecord& event);
// The program says that races there do not matter.
void expect_races(uintptr_t address, size_t size);

void races_begin_execution();

}  // namespace heddle::rt
