#include "runtime/race_shadow.h"

#include "detect/race_granule.h"
#include "runtime/failure.h"
#include "runtime/happens_before.h"
#include "runtime/point_set.h"
#include "runtime/race_records.h"
#include "runtime/race_slice.h"
#include "runtime/races.h"
#include "runtime/recorder.h"
#include "runtime/stamps.h"

namespace heddle::rt {
namespace {

using detect::PastAccess;
using Head = RecordHead;

inline constexpr uint32_t kMaxShared = 8;  // longer lists belong to one granule

PastAccess* scratch;  // a list while it is worked on
inline constexpr Stamp kNoneOfSlice = kFull;

void init() {
  init_records();
  init_transitions();
  scratch = static_cast<PastAccess*>(own_memory((kMaxShared + 1) * sizeof(PastAccess)));
}

struct Knowledge {
  bool knows(detect::Epoch epoch) const { return is_ordered(epoch.thread, epoch.clock); }
};

// Given the bytes that the running slice has accessed and written.
inline uint16_t pass_bits(unsigned accessed, unsigned written) {
  return static_cast<uint16_t>((accessed == 0xff ? 1 : 0) | (written == 0xff ? 2 : 0));
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
  Unit* unit = record_of(stamp);
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
      record_of(stamp)->head.count <= kMaxShared) {
    compare.flags &= static_cast<uint16_t>(~Head::kOwn);  // it may be shared again
  }
  const uint16_t before = compare.flags;
  if (HEDDLE_UNLIKELY((before & Head::kFreed) != 0)) return touch_freed(stamp, compare);
  if ((before & Head::kOwn) != 0) return touch_own(at, compare);

  PastAccess* const list = scratch;
  const PastAccesses known = accesses_of(stamp);
  uint32_t count = known.count;
  for (uint32_t i = 0; i < count; ++i) list[i] = known.list[i].access;
  if (is_pair(stamp)) list[0].flags &= ~(kPairHandedOver >> 56);
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

inline AccessWords words_now(uint64_t rest) {
  return {uint64_t{my_epoch.clock} << 32 | my_epoch.thread, rest};
}

// What a plain access means for one that is plain and of the past.
enum class Quick {
  kDrop,
  kKeep,
  kSaid,     // the slice has made such an access
  kMoreToIt  // something to report or to learn
};
inline __attribute__((always_inline)) Quick compare_quickly(const AccessWords& past, const AccessWords& now,
                                                            bool handed_over) {
  if (past.slot() == now.slot()) {
    if (past.epoch == now.epoch && past.replaces(now)) return Quick::kSaid;
  } else {
    if (!is_ordered(past.slot(), past.clock())) return Quick::kMoreToIt;
    if (!handed_over && (past.writes() || now.writes()) && (past.bytes() & now.bytes()) != 0 &&
        !is_before_threads(past.slot(), past.clock())) {
      return Quick::kMoreToIt;
    }
  }
  return now.replaces(past) ? Quick::kDrop : Quick::kKeep;
}

// The frequent case of a plain access to a granule that has a pair: nothing to report, learn or make room
// for. False if there is more to it.
inline bool touch_pair(Unit* pair, uint64_t rest, Touched* touched) {
  const AccessWords now = words_now(rest);
  const AccessWords first = pair[0].words;
  const AccessWords second = pair[1].words;
  const uint64_t mark = first.rest & kPairHandedOver;
  *touched = mark != 0 ? kTouchedHandedOver : 0;
  const Quick first_is = compare_quickly(first, now, mark != 0);
  if (first_is == Quick::kSaid) return true;
  const Quick second_is = second.rest == 0 ? Quick::kDrop : compare_quickly(second, now, mark != 0);
  if (second_is == Quick::kSaid) return true;
  if (first_is == Quick::kMoreToIt || second_is == Quick::kMoreToIt) return false;
  if (first_is == Quick::kKeep) {
    if (second_is == Quick::kKeep) return false;
    pair[1].words = now;
  } else {
    pair[0].words = {now.epoch, now.rest | mark};
    if (second_is == Quick::kDrop) pair[1].words = {0, 0};
  }
  *touched |= kNotPassed;
  note_own();
  return true;
}

// The same for a granule with a list of its own that is no point.
inline bool touch_own_plainly(Unit* unit, uint64_t rest, Touched* touched) {
  Head& head = unit->head;
  const AccessWords now = words_now(rest);
  uint32_t drop = 0;
  uint32_t kept = 0;
  if (head.count > kMaxShared) return false;
  for (uint32_t i = 1; i <= head.count; ++i) {
    const AccessWords past = unit[i].words;
    if (past.is_atomic()) return false;
    switch (compare_quickly(past, now, (head.flags & Head::kHandedOver) != 0)) {
      case Quick::kSaid:
        *touched = touched_of(head.flags);
        return true;
      case Quick::kMoreToIt:
        return false;
      case Quick::kDrop:
        drop |= 1u << i;
        break;
      case Quick::kKeep:
        kept++;
    }
  }
  if (kept == head.room) return false;
  uint32_t next = 1;
  for (uint32_t i = 1; i <= head.count; ++i) {
    if ((drop >> i & 1) != 0) continue;
    if (next != i) unit[next].words = unit[i].words;
    next++;
  }
  unit[next].words = now;
  head.count = next;
  *touched = kNotPassed | touched_of(head.flags);
  note_own();
  return true;
}

inline constexpr uint32_t kOwnRoom = 7;  // with the head, two cache lines

// The `count` accesses from `list` become the record that the granule alone has.
inline Stamp own_record(const AccessWords* list, uint32_t count, uint16_t flags) {
  Stamp stamp;
  if (count <= 2) {
    const uint64_t mark = (flags & Head::kHandedOver) != 0 ? kPairHandedOver : 0;
    stamp = align_for_pair(next_unit);
    units[stamp].words = {list[0].epoch, list[0].rest | mark};
    units[stamp + 1].words = count == 2 ? list[1] : AccessWords{0, 0};
    next_unit = stamp + 2;
    return kPair | stamp;
  }
  stamp = next_unit;
  units[stamp].head = {count, kOwnRoom, 0, static_cast<uint16_t>(flags | Head::kOwn), 0};
  for (uint32_t i = 0; i < count; ++i) units[stamp + 1 + i].words = list[i];
  next_unit = stamp + 1 + kOwnRoom;
  return stamp;
}

// The frequent case of touch_granule(): a plain access to what has a record, shared or a pair, with nothing
// to report or to learn. False if there is more to it.
inline bool touch_quietly(Stamp* at, uint64_t rest, const Shape& shape, Touched* touched) {
  const Stamp stamp = *at;
  const uint16_t flags = flags_of(stamp);
  const PastAccesses known = accesses_of(stamp);
  if ((flags & ~Head::kHandedOver) != 0 || known.count >= kOwnRoom) return false;
  const AccessWords now = words_now(rest);
  AccessWords list[kOwnRoom];
  uint32_t count = 0;
  unsigned accessed = now.bytes();
  unsigned written = now.writes() ? now.bytes() : 0;
  for (uint32_t i = 0; i < known.count; ++i) {
    AccessWords past = known.list[i].words;
    if (is_pair(stamp)) past.rest &= ~kPairHandedOver;
    if (past.is_atomic()) return false;
    switch (compare_quickly(past, now, (flags & Head::kHandedOver) != 0)) {
      case Quick::kSaid:
        // Of an earlier slice of the interval: noted anew if that lets the next one pass.
        if ((stamp & kIndexMask) < my_begin && past.bytes() == 0xff) return false;
        *touched = touched_of(flags);
        return true;
      case Quick::kMoreToIt:
        return false;
      case Quick::kKeep:
        list[count++] = past;
        break;
      case Quick::kDrop:
        break;
    }
    if (past.epoch != now.epoch) continue;
    accessed |= past.bytes();
    if (past.writes()) written |= past.bytes();
  }
  list[count++] = now;
  *touched = kNotPassed | touched_of(flags);
  if (each_its_own) {
    *at = own_record(list, count, flags);
    return true;
  }
  const Stamp to = shared_record(list, count, flags, pass_bits(accessed, written));
  transition_at(stamp, shape) = {shape.word, shape.context, stamp, to, *touched, 0};
  *at = to;
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
    const AccessWords past = unit[i].words;
    const bool past_writes = past.writes();
    if (past.epoch == epoch && (bytes & ~past.bytes()) == 0 && (past_writes || !writes)) return true;
    const bool ordered = past.slot() == my_epoch.thread || is_ordered(past.slot(), past.clock());
    const bool atomic = past.is_atomic();
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

void collect() {
  collect_records();
  forget_transitions();
  begin_slice();
}

void collect_if_due() {
  if (HEDDLE_LIKELY(next_unit < record_limit)) return;
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
  return shows_handed_over && (stamp & kIndexMask) >= my_begin && !is_pair(stamp) &&
         (record_of(stamp)->head.passes & (write ? 2 : 1)) != 0;
}

// Freeing is compared with what is known, and noted when it has happened.
Touched touch_to_free(const Stamp* at, Comparison& compare) {
  if (!is_record(*at)) return *at == kFreshStamp ? 0 : kNotPassed | touched_of(flags_of(*at));
  const uint16_t before = compare.flags = flags_of(*at);
  if ((before & Head::kFreed) != 0) return kNotPassed;
  const PastAccesses known = accesses_of(*at);
  for (uint32_t i = 0; i < known.count; ++i) {
    const PastAccess& past = known.list[i].access;
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
    Unit* unit = record_of(stamp);
    const unsigned bytes = ((1u << size) - 1) << first;
    Touched touched;
    if (!is_pair(stamp) && (unit->head.flags & Head::kOwn) != 0 &&
        touch_own_quietly(unit, bytes, write, pc, &touched))
      return touched;
  }
  return race_shadow_touch(address, size, write, /*atomic=*/true, {pc, 0, false});
}

Touched race_shadow_access(uintptr_t address, uint32_t size, bool write, const AccessPlace& place) {
  const unsigned first = address & 7;
  Stamp* at = stamp_of(address);
  if (HEDDLE_UNLIKELY(first + size > 8 || is_ignored(write)))
    return race_shadow_touch(address, size, write, /*atomic=*/false, place);
  const unsigned bytes = ((1u << size) - 1) << first;
  Touched touched;
  if (is_pair(*at) && each_its_own) {
    const uint64_t access = uint64_t{bytes} << 48 | (write ? uint64_t{PastAccess::kWrites} << 56 : 0);
    if (HEDDLE_LIKELY(touch_pair(record_of(*at), race_place(place) | access, &touched))) return touched;
  }
  if (all_is_said(*at, write)) return touched_of(flags_of(*at));
  const Shape shape = shape_of(place.pc, bytes, write ? PastAccess::kWrites : 0, current_context());
  const Transition& known = transition_at(*at, shape);
  if (HEDDLE_LIKELY(known.is(shape, *at))) {
    put_stamp(at, known.to);
    note_sharing(shared_lately);
    if (known.touched == kNotPassed) recent_at(place.pc) = known;
    return known.touched;
  }
  if (is_record(*at)) {
    collect_if_due();
    const uint64_t rest = race_place(place) | (shape.word & ~kWhereMask);
    Unit* record = record_of(*at);
    const bool own = !is_pair(*at) && (record->head.flags & (Head::kOwn | Head::kPoint)) == Head::kOwn;
    if (own && each_its_own ? touch_own_plainly(record, rest, &touched)
                            : touch_quietly(at, rest, shape, &touched)) {
      return touched;
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
  if (blind) {
    my_begin = kNoneOfSlice;
    return kNoStamp;
  }
  my_epoch = {fiber->slot, fiber->known[fiber->slot]};
  my_begin = next_unit;
  shows_handed_over = recording();
  return kFull | my_begin;
}

void race_shadow_forget() {
  if (units == nullptr) return;
  forget_records(/*parts_too=*/true);
  forget_transitions();
}

void race_shadow_put_back() {
  if (units == nullptr) return;
  forget_records(/*parts_too=*/false);
  forget_transitions();
}

}  // namespace heddle::rt
