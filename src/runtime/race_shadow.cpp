#include "runtime/race_shadow.h"

#include "detect/race_granule.h"
#include "runtime/failure.h"
#include "runtime/happens_before.h"
#include "runtime/point_set.h"
#include "runtime/races.h"
#include "runtime/recorder.h"
#include "runtime/stamps.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

using detect::PastAccess;

inline constexpr Stamp kFull = 1u << 30;  // beside the index, see race_shadow.h
inline constexpr Stamp kIndexMask = kFull - 1;
inline constexpr Stamp kFirstRecord = kHandedOverStamp + 1;

// A record is a head and its accesses, in units of the same size.
struct Head {
  enum Flag : uint16_t { kPoint = 1, kHandedOver = 2, kFreed = 4, kOwn = 8 };

  uint32_t count;
  uint32_t room;
  uint32_t moved_to;  // while records are collected
  uint16_t flags;
  uint16_t passes;  // the bits kFull and kWritten, also if the stamp does not have them
};
inline constexpr uint64_t kWhereMask = (uint64_t{1} << 48) - 1;  // in the second word of an access

// An access as two words, which are quick to copy: the epoch, and the rest.
struct Words {
  uint64_t epoch;
  uint64_t rest;

  uint32_t slot() const { return static_cast<uint32_t>(epoch); }
  uint32_t clock() const { return static_cast<uint32_t>(epoch >> 32); }
  unsigned bytes() const { return static_cast<unsigned>(rest >> 48) & 0xff; }
  unsigned flags() const { return static_cast<unsigned>(rest >> 56); }
};
union Unit {
  Head head;
  PastAccess access;
  Words words;
};
static_assert(sizeof(Unit) == 16);

inline constexpr size_t kMaxUnits = kFull;       // of address space, in each half
inline constexpr size_t kFirstLimit = 1u << 17;  // units, after which records are collected
inline constexpr uint32_t kMaxShared = 8;        // longer lists belong to one granule

Unit* units;  // the half in use
Unit* other_half;
PastAccess* scratch;  // a list while it is worked on
Stamp next_unit;
Stamp limit = kFirstLimit;
Stamp my_begin;  // the first record of the slice
detect::Epoch my_epoch;
// Whether lately more accesses have led to new records than to known ones. Then sharing does not pay: each
// granule gets a record of its own, which stays where it is.
bool each_its_own;
uint32_t shared_lately;
uint32_t made_lately;
bool shows_handed_over;  // what changes hands is recorded, so accesses to it do not pass
bool blind;              // the running thread has no clock, so nothing of it is noted

// Parts of the shadow that hold stamps, for collect().
inline constexpr unsigned kPartBits = 12;  // stamps: 16 KB of shadow
inline constexpr size_t kParts = kShadowSize / sizeof(Stamp) >> kPartBits;
uint8_t* part_used;
uint32_t* parts;
size_t part_count;

// An access as transitions know it: pc, bytes and flags in one word, and the calling context.
struct Shape {
  uint64_t word;
  uint32_t context;
};
Shape shape_of(uintptr_t pc, unsigned bytes, unsigned flags, uint32_t context) {
  return {(pc & 0xffffffffffff) | uint64_t{bytes} << 48 | uint64_t{flags} << 56, context};
}

// What an access of the running slice has made of a stamp.
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
Transition* transitions;

Transition& transition_at(Stamp from, const Shape& shape) {
  const uint64_t hash = (shape.word ^ uint64_t{from} << 13 ^ shape.context) * 0x9e3779b97f4a7c15ull;
  return transitions[hash >> 54];
}
static_assert(kTransitions == 1u << (64 - 54));

void init() {
  units = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  other_half = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  transitions = static_cast<Transition*>(own_memory(kTransitions * sizeof(Transition)));
  part_used = static_cast<uint8_t*>(own_memory(kParts));
  parts = static_cast<uint32_t*>(own_memory(kParts * sizeof(uint32_t)));
  scratch = static_cast<PastAccess*>(own_memory((kMaxShared + 1) * sizeof(PastAccess)));
  next_unit = kFirstRecord;
}

void use_part(const Stamp* at) {
  const auto part = static_cast<size_t>(at - reinterpret_cast<const Stamp*>(kShadowBase)) >> kPartBits;
  if (HEDDLE_LIKELY(part_used[part] != 0)) return;
  part_used[part] = 1;
  parts[part_count++] = static_cast<uint32_t>(part);
}

bool is_record(Stamp stamp) {
  return (stamp & kIndexMask) >= kFirstRecord;
}

// Records do not outlast an execution, so what has one is of this execution and listed already.
inline void put_stamp(Stamp* at, Stamp stamp) {
  if (HEDDLE_UNLIKELY(!is_record(*at))) {
    use_part(at);
    if (undo_mark != 0) note_for_undo(at);
  }
  *at = stamp;
}

struct Knowledge {
  bool knows(detect::Epoch epoch) const { return is_ordered(epoch.thread, epoch.clock); }
};

Stamp new_record(const PastAccess* list, uint32_t count, uint32_t room, uint16_t flags, uint16_t passes = 0) {
  const Stamp index = next_unit;
  next_unit += 1 + room;
  Unit* unit = units + index;
  unit->head = {count, room, 0, flags, passes};
  for (uint32_t i = 0; i < count; ++i) unit[1 + i].access = list[i];
  return index;
}

inline constexpr unsigned kPassShift = 30;
static_assert(kFull == 1u << kPassShift && kWritten == 2u << kPassShift);
// Given the bytes that the running slice has accessed and written.
inline uint16_t pass_bits(unsigned accessed, unsigned written) {
  return static_cast<uint16_t>((accessed == 0xff ? 1 : 0) | (written == 0xff ? 2 : 0));
}
inline Stamp stamp_of_record(Stamp index, uint16_t flags, uint16_t passes) {
  const bool shown = shows_handed_over && (flags & Head::kHandedOver) != 0;
  return index | (shown ? 0 : Stamp{passes} << kPassShift);
}

// Which accesses of the running slice have nothing to do, once this is the list.
uint16_t pass_bits(const PastAccess* list, uint32_t count) {
  unsigned accessed = 0;
  unsigned written = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (list[i].epoch != my_epoch || list[i].is_atomic()) continue;
    accessed |= list[i].bytes;
    if (list[i].writes()) written |= list[i].bytes;
  }
  return pass_bits(accessed, written);
}

Touched touched_of(uint16_t flags) {
  return ((flags & Head::kPoint) != 0 ? kTouchedPoint : 0) |
         ((flags & Head::kHandedOver) != 0 ? kTouchedHandedOver : 0);
}

uint16_t flags_of(Stamp stamp) {
  if (stamp == kFreshStamp) return 0;
  if (stamp == kSharedStamp) return Head::kPoint;
  if (stamp == kHandedOverStamp) return Head::kHandedOver;
  return units[stamp & kIndexMask].head.flags;
}

// An access to one granule, while it is compared.
struct Comparison {
  PastAccess now;
  uintptr_t granule;
  const RacingAccess& access;
  uint16_t flags;

  // Two threads and an atomic make a scheduling point, whatever else orders them.
  void look_for_atomic_users(const PastAccess* list, uint32_t count) {
    if (!now.is_atomic() || (flags & Head::kPoint) != 0) return;
    for (uint32_t i = 0; i < count; ++i) {
      const PastAccess& past = list[i];
      if (past.epoch.thread != now.epoch.thread && (past.bytes & now.bytes) != 0 &&
          (past.writes() || now.writes()) && !is_before_threads(past.epoch.thread, past.epoch.clock)) {
        flags |= Head::kPoint;
      }
    }
  }
  void operator()(const PastAccess& past, bool ordered) {
    if (!ordered) {
      flags |= Head::kPoint;
      report_race(past, granule, now, access, false);
    } else if (!is_before_threads(past.epoch.thread, past.epoch.clock)) {
      flags |= Head::kHandedOver;
    }
  }
  void learn(uint16_t before) const {
    if ((flags & Head::kPoint) != 0 ? (before & Head::kPoint) != 0
                                    : (flags & Head::kHandedOver) == (before & Head::kHandedOver)) {
      return;
    }
    learn_location(granule,
                   (flags & Head::kPoint) != 0 ? trace::PointGrade::kPoint : trace::PointGrade::kHandedOver);
  }
};

// The record is the granule's own: changes it.
Touched touch_own(Stamp* at, Comparison& compare) {
  const Stamp stamp = *at;
  Unit* unit = units + (stamp & kIndexMask);
  Head& head = unit->head;
  PastAccess* list = &unit[1].access;
  const uint16_t before = head.flags;
  compare.look_for_atomic_users(list, head.count);
  const bool add = detect::note_access(list, &head.count, compare.now, Knowledge{}, compare);
  compare.learn(before);
  head.flags = compare.flags;
  if (!add) return touched_of(compare.flags) | ((compare.flags & Head::kPoint) != 0 ? kNotPassed : 0);
  if (head.count < head.room) {
    list[head.count++] = compare.now;
  } else {
    const Stamp larger = new_record(list, head.count, 2 * head.room, compare.flags);
    units[larger + 1 + head.count].access = compare.now;
    units[larger].head.count++;
    put_stamp(at, larger);
  }
  return kNotPassed | touched_of(compare.flags);
}

// Whoever uses freed memory is told, and leaves no trace there.
Touched touch_freed(Stamp stamp, const Comparison& compare) {
  const PastAccess& past = units[(stamp & kIndexMask) + 1].access;
  const bool ordered =
      past.epoch.thread == compare.now.epoch.thread || is_ordered(past.epoch.thread, past.epoch.clock);
  report_race(past, compare.granule, compare.now, compare.access, ordered);
  if (ordered) return kNotPassed;
  learn_location(compare.granule, trace::PointGrade::kPoint);
  return kNotPassed | kTouchedPoint;
}

Touched touch_granule(Stamp* at, Comparison& compare, const Shape& shape) {
  const Stamp stamp = *at;
  compare.flags = flags_of(stamp);
  if ((compare.flags & (Head::kOwn | Head::kPoint)) == Head::kOwn && !each_its_own &&
      units[stamp & kIndexMask].head.count <= kMaxShared) {
    compare.flags &= static_cast<uint16_t>(~Head::kOwn);  // it may be shared again
  }
  const uint16_t before = compare.flags;
  if (HEDDLE_UNLIKELY((before & Head::kFreed) != 0)) return touch_freed(stamp, compare);
  if ((before & Head::kOwn) != 0) return touch_own(at, compare);

  PastAccess* const list = scratch;
  uint32_t count = 0;
  if (is_record(stamp)) {
    const Unit* unit = units + (stamp & kIndexMask);
    count = unit->head.count;
    for (uint32_t i = 0; i < count; ++i) list[i] = unit[1 + i].access;
  }
  compare.look_for_atomic_users(list, count);
  const bool add = detect::note_access(list, &count, compare.now, Knowledge{}, compare);
  compare.learn(before);
  if (!add && compare.flags == before && (flags_of(stamp) & (Head::kPoint | Head::kOwn)) == 0) {
    // Of an earlier slice of the interval: as new if that lets accesses pass.
    if ((pass_bits(list, count) & (compare.now.writes() ? 2 : 1)) == 0) return touched_of(before);
  }
  if (add) list[count++] = compare.now;
  const Touched touched = kNotPassed | touched_of(compare.flags);
  if ((compare.flags & Head::kPoint) != 0 || count > kMaxShared) {
    put_stamp(at, new_record(list, count, 2 * count, compare.flags | Head::kOwn));
    return touched;
  }
  const uint16_t passes = pass_bits(list, count);
  const Stamp to =
      stamp_of_record(new_record(list, count, count, compare.flags, passes), compare.flags, passes);
  if (compare.flags == before)
    transition_at(stamp, shape) = {shape.word, shape.context, stamp, to, touched, 0};
  put_stamp(at, to);
  return touched;
}

inline constexpr uint32_t kLately = 4096;
inline void note_how_it_goes(uint32_t& counter) {
  if (HEDDLE_LIKELY(++counter < kLately)) return;
  each_its_own = made_lately > shared_lately;
  made_lately = shared_lately = 0;
}

inline constexpr uint32_t kOwnRoom = 3;  // with the head, a cache line

// The frequent case of an access to a granule with a list of its own that is no point.
inline bool touch_own_plainly(Unit* unit, uint64_t rest, Touched* touched) {
  Head& head = unit->head;
  const Words now{uint64_t{my_epoch.clock} << 32 | my_epoch.thread, rest};
  const bool writes = (now.flags() & PastAccess::kWrites) != 0;
  uint32_t drop = 0;
  uint32_t kept = 0;
  for (uint32_t i = 1; i <= head.count; ++i) {
    const Words past = unit[i].words;
    const bool past_writes = (past.flags() & PastAccess::kWrites) != 0;
    if ((past.flags() & PastAccess::kAtomic) != 0) return false;
    if (past.slot() != my_epoch.thread) {
      if (!is_ordered(past.slot(), past.clock())) return false;
      if ((head.flags & Head::kHandedOver) == 0 && (past_writes || writes) &&
          (past.bytes() & now.bytes()) != 0 && !is_before_threads(past.slot(), past.clock())) {
        return false;
      }
    }
    if (past.epoch == now.epoch && (now.bytes() & ~past.bytes()) == 0 && (past_writes || !writes))
      return false;
    if ((past.bytes() & ~now.bytes()) != 0 || (past_writes && !writes))
      kept++;
    else
      drop |= 1u << i;
  }
  if (kept == head.room || head.count >= kMaxShared) return false;
  uint32_t next = 1;
  for (uint32_t i = 1; i <= head.count; ++i) {
    if ((drop >> i & 1) != 0) continue;
    if (next != i) unit[next].words = unit[i].words;
    next++;
  }
  unit[next].words = now;
  head.count = next;
  *touched = kNotPassed | touched_of(head.flags);
  note_how_it_goes(made_lately);
  return true;
}

// The frequent case of touch_granule(): nothing to report or to learn. False if there is more to it.
inline bool touch_quietly(Stamp* at, uint64_t rest, const Shape& shape, Touched* touched) {
  const Stamp stamp = *at;
  const Unit* from = units + (stamp & kIndexMask);
  const Head head = from->head;
  if ((head.flags & ~Head::kHandedOver) != 0 || head.count == kMaxShared) return false;
  const uint64_t epoch = uint64_t{my_epoch.clock} << 32 | my_epoch.thread;
  const Words now{epoch, rest};
  const bool writes = (now.flags() & PastAccess::kWrites) != 0;
  if (each_its_own) next_unit = (next_unit + kOwnRoom) & ~kOwnRoom;
  Unit* to = units + next_unit;
  uint32_t kept = 0;
  unsigned accessed = now.bytes();
  unsigned written = writes ? now.bytes() : 0;
  for (uint32_t i = 1; i <= head.count; ++i) {
    const Words past = from[i].words;
    const bool past_writes = (past.flags() & PastAccess::kWrites) != 0;
    if ((past.flags() & PastAccess::kAtomic) != 0) return false;
    if (past.slot() == my_epoch.thread) {
      if (past.epoch == epoch) {
        accessed |= past.bytes();
        if (past_writes) written |= past.bytes();
        if ((now.bytes() & ~past.bytes()) == 0 && (past_writes || !writes)) return false;
      }
    } else {
      if (!is_ordered(past.slot(), past.clock())) return false;
      if ((head.flags & Head::kHandedOver) == 0 && (past_writes || writes) &&
          (past.bytes() & now.bytes()) != 0 && !is_before_threads(past.slot(), past.clock())) {
        return false;
      }
    }
    if ((past.bytes() & ~now.bytes()) != 0 || (past_writes && !writes)) to[++kept].words = past;
  }
  to[++kept].words = now;
  const bool own = each_its_own && kept <= kOwnRoom;
  note_how_it_goes(made_lately);
  if (own) {
    to->head = {kept, kOwnRoom, 0, static_cast<uint16_t>(head.flags | Head::kOwn), 0};
    *touched = kNotPassed | touched_of(head.flags);
    *at = next_unit;
    next_unit += kOwnRoom + 1;
    return true;
  }
  const uint16_t passes = pass_bits(accessed, written);
  to->head = {kept, kept, 0, head.flags, passes};
  const Stamp made = stamp_of_record(next_unit, head.flags, passes);
  next_unit += kept + 1;
  *touched = kNotPassed | touched_of(head.flags);
  transition_at(stamp, shape) = {shape.word, shape.context, stamp, made, *touched, 0};
  *at = made;
  return true;
}

// The frequent case of an atomic operation on a granule with a list of its own: nothing to report, learn or
// make room for.
inline bool touch_own_quietly(Unit* unit, unsigned bytes, bool writes, uintptr_t pc, Touched* touched) {
  Head& head = unit->head;
  if ((head.flags & (Head::kPoint | Head::kFreed)) != Head::kPoint || blind) return false;
  const uint64_t epoch = uint64_t{my_epoch.clock} << 32 | my_epoch.thread;
  *touched = kNotPassed | touched_of(head.flags);
  uint32_t kept = 0;
  uint32_t dropped = 0;  // a bit for each
  for (uint32_t i = 1; i <= head.count; ++i) {
    const Words past = unit[i].words;
    const bool past_writes = (past.flags() & PastAccess::kWrites) != 0;
    if (past.epoch == epoch && (bytes & ~past.bytes()) == 0 && (past_writes || !writes)) return true;
    const bool ordered = past.slot() == my_epoch.thread || is_ordered(past.slot(), past.clock());
    const bool atomic = (past.flags() & PastAccess::kAtomic) != 0;
    if (!ordered && !atomic) return false;
    const bool drop = ordered && atomic && (past.bytes() & ~bytes) == 0 && (writes || !past_writes);
    if (i < 32 && drop)
      dropped |= 1u << i;
    else
      kept++;
  }
  if (kept == head.room || rt.current->ignored_reads + rt.current->ignored_writes != 0) return false;
  uint32_t next = 1;
  for (uint32_t i = 1; i <= head.count; ++i) {
    if (i < 32 && (dropped >> i & 1) != 0) continue;
    unit[next++].words = unit[i].words;
  }
  const uint64_t flags = PastAccess::kAtomic | (writes ? PastAccess::kWrites : 0);
  unit[next].words = {epoch, race_place({pc, 0, false}) | uint64_t{bytes} << 48 | flags << 56};
  head.count = next;
  return true;
}

unsigned bytes_of(uintptr_t granule, uintptr_t address, uintptr_t end) {
  unsigned bytes = 0xff;
  if (address > granule) bytes &= 0xffu << (address - granule);
  if (end < granule + 8) bytes &= 0xffu >> (granule + 8 - end);
  return bytes;
}

bool is_ignored(bool write) {
  const Fiber* self = rt.current;
  return HEDDLE_UNLIKELY((write ? self->ignored_writes : self->ignored_reads) != 0) || blind;
}

// Copies what is referred to into the other half.
void collect() {
  Stamp next = kFirstRecord;
  size_t live_parts = 0;
  for (size_t i = 0; i < part_count; ++i) {
    Stamp* stamp = reinterpret_cast<Stamp*>(kShadowBase) + (size_t{parts[i]} << kPartBits);
    bool live = false;
    for (size_t k = 0; k < size_t{1} << kPartBits; ++k) {
      if (!is_record(stamp[k])) continue;
      live = true;
      Unit* from = units + (stamp[k] & kIndexMask);
      if (from->head.moved_to == 0) {
        const uint32_t size = 1 + from->head.room;
        for (uint32_t n = 0; n < size; ++n) other_half[next + n] = from[n];
        from->head.moved_to = next;
        next += size;
      }
      stamp[k] = (stamp[k] & ~kIndexMask) | from->head.moved_to;
    }
    if (live)
      parts[live_parts++] = parts[i];
    else
      part_used[parts[i]] = 0;
  }
  part_count = live_parts;
  Unit* const old = units;
  units = other_half;
  other_half = old;
  next_unit = next;
  const uint64_t wanted = uint64_t{next} * 2 + kFirstLimit;
  limit = wanted < kMaxUnits * 3 / 4 ? static_cast<Stamp>(wanted) : static_cast<Stamp>(kMaxUnits * 3 / 4);
  for (size_t i = 0; i < kTransitions; ++i) transitions[i] = {};
  begin_slice();
}

void collect_if_due() {
  if (HEDDLE_LIKELY(next_unit < limit)) return;
  if (undo_mark == 0) return collect();
  // Records are referred to from what is to be put back, too.
  if (next_unit > kMaxUnits - kMaxUnits / 8) fail_internal("the shadow of this execution is full");
}

PastAccess make_access(unsigned flags, const AccessPlace& place) {
  PastAccess now;
  now.epoch = my_epoch;
  now.where = race_place(place);
  now.flags = flags;
  return now;
}

}  // namespace

namespace {

// Whether the access passes, or would if nothing were recorded.
inline bool all_is_said(Stamp stamp, bool write) {
  if (would_pass(stamp, write)) return true;
  const Stamp index = stamp & kIndexMask;
  return shows_handed_over && index >= my_begin && (units[index].head.passes & (write ? 2 : 1)) != 0;
}

// Freeing is compared with what is known, and noted when it has happened.
Touched touch_to_free(const Stamp* at, Comparison& compare) {
  if (!is_record(*at)) return *at == kFreshStamp ? 0 : kNotPassed | touched_of(flags_of(*at));
  const Unit* unit = units + (*at & kIndexMask);
  const uint16_t before = compare.flags = unit->head.flags;
  if ((before & Head::kFreed) != 0) return kNotPassed;
  for (uint32_t i = 0; i < unit->head.count; ++i) {
    const PastAccess& past = unit[1 + i].access;
    if (past.epoch.thread != my_epoch.thread && past.conflicts_with(compare.now))
      compare(past, is_ordered(past.epoch.thread, past.epoch.clock));
  }
  compare.learn(before);
  return kNotPassed | touched_of(compare.flags);
}

}  // namespace

Touched race_shadow_touch(uintptr_t address, size_t size, bool write, bool atomic, const AccessPlace& place) {
  if (is_ignored(write)) return 0;
  collect_if_due();
  const unsigned flags = (write ? PastAccess::kWrites : 0) | (atomic ? PastAccess::kAtomic : 0) |
                         (place.frees ? PastAccess::kFrees : 0);
  const RacingAccess access{address, size, place};
  Comparison compare{make_access(flags, place), address & ~uintptr_t{7}, access, 0};
  const uint64_t where = compare.now.where;
  const uint32_t context = current_context();
  const uintptr_t end = address + size;
  Touched touched = 0;
  for (Stamp* stamp = stamp_of(address); compare.granule < end; ++stamp, compare.granule += 8) {
    if (!atomic && all_is_said(*stamp, write)) {
      touched |= touched_of(flags_of(*stamp));
      continue;
    }
    const unsigned bytes = bytes_of(compare.granule, address, end);
    const Shape shape = shape_of(place.pc, bytes, flags, context);
    if (const Transition& known = transition_at(*stamp, shape); known.is(shape, *stamp)) {
      put_stamp(stamp, known.to);
      touched |= known.touched;
      continue;
    }
    if (Touched quiet; !atomic && !place.frees && is_record(*stamp) &&
                       touch_quietly(stamp, where | (shape.word & ~kWhereMask), shape, &quiet)) {
      touched |= quiet;
      continue;
    }
    compare.now.bytes = bytes;
    touched |= place.frees ? touch_to_free(stamp, compare) : touch_granule(stamp, compare, shape);
  }
  return touched;
}

Touched race_shadow_atomic(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  const Stamp stamp = *stamp_of(address);
  const unsigned first = address & 7;
  if (HEDDLE_LIKELY(is_record(stamp) && first + size <= 8)) {
    Unit* unit = units + (stamp & kIndexMask);
    const unsigned bytes = ((1u << size) - 1) << first;
    Touched touched;
    if ((unit->head.flags & Head::kOwn) != 0 && touch_own_quietly(unit, bytes, write, pc, &touched))
      return touched;
  }
  return race_shadow_touch(address, size, write, /*atomic=*/true, {pc, 0, false});
}

Touched race_shadow_access(uintptr_t address, uint32_t size, bool write, const AccessPlace& place) {
  const unsigned first = address & 7;
  Stamp* at = stamp_of(address);
  const Stamp stamp = *at;
  if (HEDDLE_LIKELY(first + size <= 8)) {
    if (all_is_said(stamp, write)) return touched_of(flags_of(stamp));
    const unsigned bytes = ((1u << size) - 1) << first;
    const Shape shape = shape_of(place.pc, bytes, write ? PastAccess::kWrites : 0, current_context());
    const Transition& known = transition_at(stamp, shape);
    if (HEDDLE_LIKELY(known.is(shape, stamp)) && !is_ignored(write)) {
      put_stamp(at, known.to);
      note_how_it_goes(shared_lately);
      return known.touched;
    }
    if (is_record(stamp)) {
      // All is said if the slice has accessed these bytes before, but not all of the granule.
      const Unit* unit = units + (stamp & kIndexMask);
      const PastAccess& last = unit[unit->head.count].access;
      const bool own = (unit->head.flags & Head::kOwn) != 0;
      if (last.epoch == my_epoch &&
          (own ? each_its_own : (stamp & kIndexMask) >= my_begin || last.bytes != 0xff) &&
          (bytes & ~static_cast<unsigned>(last.bytes)) == 0 && (last.writes() || !write) &&
          !last.is_atomic() && (unit->head.flags & Head::kPoint) == 0 && !last.frees()) {
        return touched_of(unit->head.flags);
      }
      collect_if_due();
      const uint64_t rest = race_place(place) | (shape.word & ~kWhereMask);
      Touched touched;
      if (!is_ignored(write)) {
        Unit* now_at = units + (*at & kIndexMask);
        const bool quiet = own && each_its_own && (now_at->head.flags & Head::kPoint) == 0
                               ? touch_own_plainly(now_at, rest, &touched)
                               : touch_quietly(at, rest, shape, &touched);
        if (quiet) return touched;
      }
    }
  }
  return race_shadow_touch(address, size, write, /*atomic=*/false, place);
}

void race_shadow_freed(uintptr_t address, size_t size, uintptr_t pc) {
  if (blind) return shadow_clear(address, size);
  collect_if_due();
  PastAccess free = make_access(PastAccess::kWrites | PastAccess::kFrees, {pc, 0, true});
  free.bytes = 0xff;
  const Stamp stamp = new_record(&free, 1, 1, Head::kFreed);
  for (Stamp *at = stamp_of(address), *end = stamp_of(address + size - 1) + 1; at < end; ++at)
    put_stamp(at, stamp);
}

Stamp race_shadow_begin_slice(const Fiber* fiber) {
  if (units == nullptr) init();
  blind = fiber->slot == kNoSlot;
  if (blind) return kNoStamp;
  my_epoch = {fiber->slot, fiber->known[fiber->slot]};
  my_begin = next_unit;
  shows_handed_over = recording();
  return kFull | my_begin;
}

void race_shadow_forget() {
  if (units == nullptr) return;
  next_unit = kFirstRecord;
  part_count = 0;
  fill_bytes(transitions, 0, kTransitions * sizeof(Transition));
  sys_call(SYS_madvise, static_cast<long>(reinterpret_cast<uintptr_t>(part_used)), static_cast<long>(kParts),
           MADV_DONTNEED);
}

void race_shadow_put_back() {
  if (units == nullptr) return;
  next_unit = kFirstRecord;
  fill_bytes(transitions, 0, kTransitions * sizeof(Transition));
}

}  // namespace heddle::rt
