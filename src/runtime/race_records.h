// Records: what stamps stand for in executions that detect races (race_shadow.h).
//
// A record is a list of past accesses (detect/race_granule.h) in one of three forms:
//   shared  a head and its accesses; of all granules that have this history; made, never changed
//   own     the same, of one granule, with room to grow: changed in place. Scheduling points, long lists.
//   pair    up to two accesses and no head, of one granule, changed in place: half a cache line
// Records are appended. Now and then those that no granule refers to are dropped: the others are copied to
// the other half of the memory (collect_records()), for which the parts of the shadow in use are listed.
#pragma once

#include "detect/race_granule.h"
#include "runtime/shadow.h"
#include "runtime/stamps.h"

namespace heddle::rt {

// Beside the index in a stamp: kFull, all eight bytes have been accessed in the slice; with kWritten, all
// have been written. As a write is an access, kWritten alone is free to say that the record is a pair.
inline constexpr unsigned kPassShift = 30;
inline constexpr Stamp kFull = 1u << kPassShift;
static_assert(kWritten == 2u << kPassShift);
inline constexpr Stamp kPair = kWritten;
inline constexpr Stamp kIndexMask = kFull - 1;
inline constexpr Stamp kFirstRecord = kHandedOverStamp + 1;

inline bool is_record(Stamp stamp) {
  return (stamp & kIndexMask) >= kFirstRecord;
}
inline bool is_pair(Stamp stamp) {
  return (stamp & (kFull | kWritten)) == kPair;
}

// A record is in units of the size of an access.
struct RecordHead {
  enum Flag : uint16_t { kPoint = 1, kHandedOver = 2, kFreed = 4, kOwn = 8 };

  uint32_t count;
  uint32_t room;
  uint32_t moved_to;  // while records are collected
  uint16_t flags;
  uint16_t passes;  // the bits kFull and kWritten, also if the stamp does not have them
};

// An access as two words, which are quick to copy: the epoch, and the rest.
struct AccessWords {
  uint64_t epoch;
  uint64_t rest;

  uint32_t slot() const { return static_cast<uint32_t>(epoch); }
  uint32_t clock() const { return static_cast<uint32_t>(epoch >> 32); }
  unsigned bytes() const { return static_cast<unsigned>(rest >> 48) & 0xff; }
  unsigned flags() const { return static_cast<unsigned>(rest >> 56); }
  bool writes() const { return (flags() & detect::PastAccess::kWrites) != 0; }
  bool is_atomic() const { return (flags() & detect::PastAccess::kAtomic) != 0; }
  // Whether this makes `past`, which is ordered before, needless. Of plain accesses.
  bool replaces(const AccessWords& past) const {
    return (past.bytes() & ~bytes()) == 0 && (writes() || !past.writes());
  }
};
inline constexpr uint64_t kWhereMask = (uint64_t{1} << 48) - 1;  // of the second word
// In the second word of a pair's first access.
inline constexpr uint64_t kPairHandedOver = uint64_t{1} << 63;

union Unit {
  RecordHead head;
  detect::PastAccess access;
  AccessWords words;
};
static_assert(sizeof(Unit) == 16);

inline constexpr size_t kMaxUnits = kFull;  // of address space, in each half

extern Unit* units __attribute__((visibility("hidden")));  // the half in use
extern Stamp next_unit __attribute__((visibility("hidden")));
extern Stamp record_limit __attribute__((visibility("hidden")));  // where next_unit makes collecting due

inline Unit* record_of(Stamp stamp) {
  return units + (stamp & kIndexMask);
}

// The flags of what a stamp stands for.
inline uint16_t flags_of(Stamp stamp) {
  if (HEDDLE_UNLIKELY(!is_record(stamp))) {
    if (stamp == kSharedStamp) return RecordHead::kPoint;
    return stamp == kHandedOverStamp ? RecordHead::kHandedOver : 0;
  }
  const Unit* record = record_of(stamp);
  if (!is_pair(stamp)) return record->head.flags;
  return (record->words.rest & kPairHandedOver) != 0 ? RecordHead::kHandedOver : 0;
}

// The accesses of a record of any form.
struct PastAccesses {
  const Unit* list;
  uint32_t count;
};
inline PastAccesses accesses_of(Stamp stamp) {
  if (!is_record(stamp)) return {nullptr, 0};
  const Unit* record = record_of(stamp);
  if (is_pair(stamp)) return {record, record[1].words.rest != 0 ? 2u : 1u};
  return {record + 1, record->head.count};
}

// Lists the part of the shadow that holds the stamp as in use.
void use_part(const Stamp* at);

// Records do not outlast an execution, so what has one is of this execution and listed already.
inline void put_stamp(Stamp* at, Stamp stamp) {
  if (HEDDLE_UNLIKELY(!is_record(*at))) {
    use_part(at);
    if (undo_mark != 0) note_for_undo(at);
  }
  *at = stamp;
}

inline Stamp new_record(const detect::PastAccess* list, uint32_t count, uint32_t room, uint16_t flags,
                        uint16_t passes = 0) {
  const Stamp index = next_unit;
  next_unit += 1 + room;
  Unit* unit = units + index;
  unit->head = {count, room, 0, flags, passes};
  for (uint32_t i = 0; i < count; ++i) unit[1 + i].access = list[i];
  return index;
}
// Pairs lie within a cache line.
inline Stamp align_for_pair(Stamp index) {
  return (index + 1) & ~1u;
}

void init_records();
// Copies what is referred to into the other half; what has been remembered of stamps is void then.
void collect_records();
// As race_shadow_forget() and race_shadow_put_back().
void forget_records(bool parts_too);

}  // namespace heddle::rt
