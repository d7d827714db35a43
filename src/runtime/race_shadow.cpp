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
  uint16_t reserved;
};
union Unit {
  Head head;
  PastAccess access;
};
static_assert(sizeof(Unit) == 16);

inline constexpr size_t kMaxUnits = kFull;       // of address space, in each half
inline constexpr size_t kFirstLimit = 1u << 21;  // units, after which records are collected
inline constexpr uint32_t kMaxShared = 8;        // longer lists belong to one granule

Unit* units;  // the half in use
Unit* other_half;
Stamp next_unit;
Stamp limit = kFirstLimit;
Stamp my_begin;  // the first record of the slice
detect::Epoch my_epoch;
bool blind;  // the running thread has no clock, so nothing of it is noted

// Parts of the shadow that hold stamps, for collect().
inline constexpr unsigned kPartBits = 12;  // stamps: 16 KB of shadow
inline constexpr size_t kParts = kShadowSize / sizeof(Stamp) >> kPartBits;
uint8_t* part_used;
uint32_t* parts;
size_t part_count;

// What an access of the running slice has made of a stamp. `access` is its last word: all but the epoch.
struct Transition {
  uint64_t access;
  Stamp from;
  Stamp to;
  Touched touched;
};
inline constexpr size_t kTransitions = 1024;
Transition* transitions;

uint64_t word_of(const PastAccess& access) {
  uint64_t words[2];
  __builtin_memcpy(words, &access, sizeof access);
  return words[1];
}

Transition& transition_at(Stamp from, uint64_t word) {
  const uint64_t hash = (word ^ uint64_t{from} << 17) * 0x9e3779b97f4a7c15ull;
  return transitions[hash >> 54];
}
static_assert(kTransitions == 1u << (64 - 54));

void init() {
  units = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  other_half = static_cast<Unit*>(own_memory(kMaxUnits * sizeof(Unit)));
  transitions = static_cast<Transition*>(own_memory(kTransitions * sizeof(Transition)));
  part_used = static_cast<uint8_t*>(own_memory(kParts));
  parts = static_cast<uint32_t*>(own_memory(kParts * sizeof(uint32_t)));
  next_unit = kFirstRecord;
}

void use_part(const Stamp* at) {
  const auto part = static_cast<size_t>(at - reinterpret_cast<const Stamp*>(kShadowBase)) >> kPartBits;
  if (HEDDLE_LIKELY(part_used[part] != 0)) return;
  part_used[part] = 1;
  parts[part_count++] = static_cast<uint32_t>(part);
}

inline void put_stamp(Stamp* at, Stamp stamp) {
  use_part(at);
  set_stamp(at, stamp);
}

struct Knowledge {
  bool knows(detect::Epoch epoch) const { return is_ordered(epoch.thread, epoch.clock); }
};

Stamp new_record(const PastAccess* list, uint32_t count, uint32_t room, uint16_t flags) {
  const Stamp index = next_unit;
  next_unit += 1 + room;
  Unit* unit = units + index;
  unit->head = {count, room, 0, flags, 0};
  for (uint32_t i = 0; i < count; ++i) unit[1 + i].access = list[i];
  return index;
}

// The bits that say which accesses of the running slice have nothing to do.
Stamp pass_bits(const PastAccess* list, uint32_t count) {
  unsigned accessed = 0;
  unsigned written = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (list[i].epoch != my_epoch || list[i].is_atomic()) continue;
    accessed |= list[i].bytes;
    if (list[i].writes()) written |= list[i].bytes;
  }
  return (accessed == 0xff ? kFull : 0) | (written == 0xff ? kWritten : 0);
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

bool is_record(Stamp stamp) {
  return (stamp & kIndexMask) >= kFirstRecord;
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

Touched touch_granule(Stamp* at, Comparison& compare) {
  const Stamp stamp = *at;
  Transition& known = transition_at(stamp, word_of(compare.now));
  if (HEDDLE_LIKELY(known.from == stamp && known.access == word_of(compare.now) &&
                    (known.to & kIndexMask) >= my_begin)) {
    put_stamp(at, known.to);
    return known.touched;
  }
  compare.flags = flags_of(stamp);
  const uint16_t before = compare.flags;
  if (HEDDLE_UNLIKELY((before & Head::kFreed) != 0)) return touch_freed(stamp, compare);
  if ((before & Head::kOwn) != 0) return touch_own(at, compare);

  PastAccess list[kMaxShared + 1];
  uint32_t count = 0;
  if (is_record(stamp)) {
    const Unit* unit = units + (stamp & kIndexMask);
    count = unit->head.count;
    for (uint32_t i = 0; i < count; ++i) list[i] = unit[1 + i].access;
  }
  compare.look_for_atomic_users(list, count);
  const bool add = detect::note_access(list, &count, compare.now, Knowledge{}, compare);
  compare.learn(before);
  if (!add && compare.flags == before && (before & Head::kPoint) == 0) return touched_of(before);
  if (add) list[count++] = compare.now;
  const Touched touched = kNotPassed | touched_of(compare.flags);
  if ((compare.flags & Head::kPoint) != 0 || count > kMaxShared) {
    put_stamp(at, new_record(list, count, 2 * count, compare.flags | Head::kOwn));
    return touched;
  }
  const Stamp to = new_record(list, count, count, compare.flags) | pass_bits(list, count);
  if (compare.flags == before) known = {word_of(compare.now), stamp, to, touched};
  put_stamp(at, to);
  return touched;
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

Touched race_shadow_touch(uintptr_t address, size_t size, bool write, bool atomic, const AccessPlace& place) {
  Stamp* stamp = stamp_of(address);
  if (HEDDLE_LIKELY(stamp == stamp_of(address + size - 1) && would_pass(*stamp, write) && !atomic))
    return touched_of(flags_of(*stamp));
  if (is_ignored(write)) return 0;
  collect_if_due();
  const unsigned flags = (write ? PastAccess::kWrites : 0) | (atomic ? PastAccess::kAtomic : 0) |
                         (place.frees ? PastAccess::kFrees : 0);
  const RacingAccess access{address, size, place};
  Comparison compare{make_access(flags, place), address & ~uintptr_t{7}, access, 0};
  const uintptr_t end = address + size;
  Touched touched = 0;
  for (; compare.granule < end; ++stamp, compare.granule += 8) {
    if (!atomic && would_pass(*stamp, write)) {
      touched |= touched_of(flags_of(*stamp));
      continue;
    }
    compare.now.bytes = bytes_of(compare.granule, address, end);
    if (HEDDLE_UNLIKELY(place.frees)) {
      if (*stamp == kFreshStamp) continue;
      compare.flags = flags_of(*stamp);
      if (is_record(*stamp) && (compare.flags & Head::kFreed) == 0) {
        const Unit* unit = units + (*stamp & kIndexMask);
        for (uint32_t i = 0; i < unit->head.count; ++i) {
          const PastAccess& past = unit[1 + i].access;
          if (past.epoch.thread != my_epoch.thread && past.conflicts_with(compare.now))
            compare(past, is_ordered(past.epoch.thread, past.epoch.clock));
        }
        compare.learn(flags_of(*stamp));
      }
      touched |= kNotPassed | touched_of(compare.flags);
      continue;
    }
    touched |= touch_granule(stamp, compare);
  }
  return touched;
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
