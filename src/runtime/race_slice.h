// What the running slice remembers of its accesses, so that it need not compare the next one with lists.
#pragma once

#include "detect/race_granule.h"
#include "runtime/race_records.h"
#include "runtime/runtime.h"

namespace heddle::rt {

extern Stamp my_begin __attribute__((visibility("hidden")));  // the first record of the slice
extern detect::Epoch my_epoch __attribute__((visibility("hidden")));
extern bool shows_handed_over __attribute__((visibility("hidden")));  // recorded, so accesses do not pass
extern bool blind __attribute__((visibility("hidden")));  // the thread has no clock, nothing of it is noted

// An access as transitions know it: pc, bytes and flags in one word, and the calling context.
struct Shape {
  uint64_t word;
  uint32_t context;
};
inline Shape shape_of(uintptr_t pc, unsigned bytes, unsigned flags, uint32_t context) {
  return {(pc & 0xffffffffffff) | uint64_t{bytes} << 48 | uint64_t{flags} << 56, context};
}

// What an access of the slice has made of a stamp. It will make the same of the neighbours that have it.
struct Transition {
  uint64_t word;
  uint32_t context;
  Stamp from;
  Stamp to;
  Touched touched;
  uint64_t reserved;

  bool is(const Shape& shape, Stamp stamp) const {
    return from == stamp && word == shape.word && context == shape.context && (to & kIndexMask) >= my_begin;
  }
};
inline constexpr size_t kTransitions = 1024;
extern Transition* transitions __attribute__((visibility("hidden")));
inline Transition& transition_at(Stamp from, const Shape& shape) {
  const uint64_t hash = (shape.word ^ uint64_t{from} << 13 ^ shape.context) * 0x9e3779b97f4a7c15ull;
  return transitions[hash >> 54];
}
static_assert(kTransitions == 1u << (64 - 54));

// The last one of a code position that is no more than noted: a loop mostly does the same to one granule
// after the other.
inline constexpr size_t kRecent = 256;
extern Transition recent_transitions[kRecent] __attribute__((visibility("hidden")));
inline Transition& recent_at(uintptr_t pc) {
  return recent_transitions[(pc ^ pc >> 8) % kRecent];
}

// Whether sharing records does not pay, since most accesses lead to new ones instead of known ones. Then each
// granule gets a record of its own, which stays where it is. Sharing is tried again now and then.
extern bool each_its_own __attribute__((visibility("hidden")));
extern uint32_t shared_lately __attribute__((visibility("hidden")));
extern uint32_t made_lately __attribute__((visibility("hidden")));
extern uint32_t until_try __attribute__((visibility("hidden")));
inline constexpr uint32_t kLately = 4096;  // after so many of a kind, the two are compared
void decide_on_sharing();
void try_sharing();
inline void note_sharing(uint32_t& counter) {
  if (HEDDLE_UNLIKELY(++counter == kLately)) decide_on_sharing();
}
inline void note_own() {
  if (HEDDLE_UNLIKELY(--until_try == 0)) try_sharing();
}

// Whether the slice has made just this access to a granule with the same history. If so, does the same to
// this one, and nothing else is to be done. A code position always accesses the same number of bytes, so the
// bytes of the granule that it touches tell whether it touches another one, too.
inline bool repeats_transition(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  Stamp* at = stamp_of(address);
  const Transition& known = recent_at(pc);
  if (known.from != *at) return false;
  const Fiber* self = rt.current;
  const unsigned bytes = ((1u << size) - 1) << (address & 7) & 0xff;
  const size_t depth = self->depth;
  if (known.word != shape_of(pc, bytes, write ? detect::PastAccess::kWrites : 0, 0).word ||
      (known.to & kIndexMask) < my_begin || depth - 1 >= kMaxFrames ||
      known.context != self->frames[depth - 1].context || (self->ignored_reads | self->ignored_writes) != 0) {
    return false;
  }
  put_stamp(at, known.to);
  note_sharing(shared_lately);
  return true;
}

void init_transitions();
void forget_transitions();
// A record of the slice with these accesses, which granules with different histories may come to have.
Stamp shared_record(const AccessWords* list, uint32_t count, uint16_t flags, uint16_t passes);

inline Stamp stamp_of_record(Stamp index, uint16_t flags, uint16_t passes) {
  const bool shown = shows_handed_over && (flags & RecordHead::kHandedOver) != 0;
  return index | (shown ? 0 : Stamp{passes} << kPassShift);
}

}  // namespace heddle::rt
