#include "runtime/shadow.h"

#include "runtime/point_set.h"
#include "runtime/race_shadow.h"
#include "runtime/recorder.h"
#include "runtime/stamps.h"
#include "runtime/sys.h"

namespace heddle::rt {

Stamp slice_begin = kNoStamp;
Stamp written_slice_begin = kNoStamp | kWritten;
Stamp read_shared_stamp = kNoStamp | kWritten;
Stamp my_slice_begin;
Stamp my_shared_stamp;
Stamp undo_mark;

namespace {

using Interval = uint32_t;  // a bit for kHandedOver, slot, number
struct State {
  Interval write;
  Interval read;
  uint64_t bits() const { return uint64_t{read} << 32 | write; }
  bool operator==(const State& other) const { return bits() == other.bits(); }
};

inline constexpr Interval kHandedOver = 1;
inline constexpr unsigned kSlotShift = 1;
inline constexpr unsigned kNumberShift = kSlotShift + kSlotBits;
static_assert(kNumberShift + kIntervalBits == 32);
inline constexpr uint32_t kReadSharedSlot = kCrowdSlot + 1;  // no thread's; the number is that of the phase
inline constexpr State kShared{~Interval{0}, ~Interval{0}};

inline constexpr size_t kFirstStates = 256;     // a small test needs few, and pays for each page
inline constexpr size_t kMaxStates = 1u << 30;  // beyond it, everything counts as shared

// Clearing more shadow than this at once is left to the kernel, which only drops touched pages.
inline constexpr size_t kLargeShadow = 512 * 1024;

State* states;
size_t state_room;
Stamp next_stamp;
Interval my_interval;  // of the running thread
Interval read_shared = kReadSharedSlot << kSlotShift;
uint32_t phase;

struct Undo {
  Stamp* at;
  Stamp before;
};
inline constexpr size_t kMaxUndo = 1u << 22;  // beyond it, the whole shadow is cleared
Undo* undo_log;
size_t undo_count;
bool undo_overflow;

// The slice's last stamps, since neighbours are mostly in the same state.
inline constexpr size_t kRecentStamps = 64;
Stamp recent[kRecentStamps];

uint32_t slot_of(Interval interval) {
  return interval >> kSlotShift & ((1u << kSlotBits) - 1);
}
uint32_t number_of(Interval interval) {
  return interval >> kNumberShift;
}
bool in_crowd(Interval interval) {
  return slot_of(interval) == kCrowdSlot;
}

bool grow_states() {
  if (state_room == kMaxStates) return false;
  const size_t larger = state_room != 0 ? 2 * state_room : kFirstStates;
  auto* moved = static_cast<State*>(own_memory(larger * sizeof(State)));
  if (states != nullptr) {
    copy_bytes(moved, states, state_room * sizeof(State));
    drop_own_memory(states, state_room * sizeof(State));
  }
  states = moved;
  state_room = larger;
  return true;
}

Stamp new_stamp(State state) {
  if (HEDDLE_UNLIKELY(next_stamp == state_room) && !grow_states()) return kSharedStamp;
  states[next_stamp] = state;
  return next_stamp++;
}

// The stamp of a state that the running thread's access has led to.
inline Stamp stamp_for(State state) {
  if (state == kShared) return kSharedStamp;
  if (state == State{0, read_shared}) return my_shared_stamp;
  const Stamp written = (state.write & ~kHandedOver) == my_interval && !in_crowd(my_interval) ? kWritten : 0;
  Stamp& known = recent[(state.write >> kNumberShift ^ (state.write + state.read)) % kRecentStamps];
  if (known < my_slice_begin || states[known] != state) known = new_stamp(state);
  return known == kSharedStamp ? kSharedStamp : known | written;
}

const State& state_at(Stamp stamp) {
  return states[stamp & ~kWritten];
}

bool is_handed_over(const State& state) {
  return (state.write & kHandedOver) != 0 && state != kShared;
}

// Only the running thread has touched it so far, as far as it matters.
bool is_private(const State& state) {
  constexpr Interval kSlotBitsInPlace = ((1u << kSlotBits) - 1) << kSlotShift;
  const auto mine_or_none = [](Interval interval) {
    return ((interval ^ my_interval) & kSlotBitsInPlace) == 0 || interval == 0;
  };
  return mine_or_none(state.write) && mine_or_none(state.read) && my_slice_begin != kNoStamp;
}

// How an earlier access stands to what the running thread does now.
enum class Relation { kNone, kMine, kOrdered, kOpen };

Relation relation_to(Interval interval, bool atomic) {
  interval &= ~kHandedOver;
  if (interval == 0) return Relation::kNone;
  const uint32_t slot = slot_of(interval);
  if (slot == kReadSharedSlot) return interval == read_shared ? Relation::kOpen : Relation::kNone;
  if (slot == slot_of(my_interval)) return in_crowd(interval) ? Relation::kOpen : Relation::kMine;
  // An atomic is a point as soon as a second thread uses it, whatever else has ordered the two.
  if (atomic) return is_before_threads(slot, number_of(interval)) ? Relation::kNone : Relation::kOpen;
  if ((rt.request.flags & trace::request_flag::kRecordShared) != 0
          ? is_before_threads(slot, number_of(interval))
          : is_known_to_all(slot, number_of(interval))) {
    return Relation::kNone;
  }
  return !in_crowd(interval) && is_ordered(slot, number_of(interval)) ? Relation::kOrdered : Relation::kOpen;
}

// The state of a granule after an access by the running thread.
State next_state(State state, bool write, bool atomic) {
  const Relation to_write = relation_to(state.write, atomic);
  const Relation to_read = relation_to(state.read, atomic);
  if (to_write == Relation::kOpen || (write && to_read == Relation::kOpen)) return kShared;
  const bool changes_hands = to_write == Relation::kOrdered || (write && to_read == Relation::kOrdered);
  const Interval handed = changes_hands ? kHandedOver : state.write & kHandedOver;
  if (write) return {my_interval | handed, my_interval | handed};
  const Interval last_write = to_write == Relation::kNone ? 0 : state.write & ~kHandedOver;
  return {last_write | handed, (to_read == Relation::kOpen ? read_shared : my_interval) | handed};
}

// What an access makes of a granule, and whether it shows something new about it.
struct Change {
  Stamp from;
  Stamp to;
  Touched touched;
  bool news;
};

Change change_of(Stamp stamp, bool write, bool atomic) {
  if (stamp == kSharedStamp) return {stamp, stamp, kNotPassed | kTouchedPoint, false};
  const State before = state_at(stamp);
  const State after = next_state(before, write, atomic);
  if (after == kShared) return {stamp, kSharedStamp, kNotPassed | kTouchedPoint, true};
  if (!is_handed_over(after)) return {stamp, stamp_for(after), kNotPassed, false};
  return {stamp, stamp_for(after), kNotPassed | kTouchedHandedOver, !is_handed_over(before)};
}

Touched touch_range(uintptr_t address, size_t size, bool write, bool atomic) {
  Touched touched = 0;
  Change change{kNoStamp, 0, 0, false};  // the last one: neighbours are mostly in the same state
  Stamp* stamp = stamp_of(address);
  const Stamp* end = stamp_of(address + size - 1) + 1;
  for (uintptr_t granule = address & ~uintptr_t{7}; stamp < end; ++stamp, granule += 8) {
    if (would_pass(*stamp, write)) {
      if (is_handed_over(state_at(*stamp))) touched |= kTouchedHandedOver;
      continue;
    }
    if (*stamp != change.from) change = change_of(*stamp, write, atomic);
    touched |= change.touched;
    if (HEDDLE_UNLIKELY(change.news)) {
      const bool point = (change.touched & kTouchedPoint) != 0;
      learn_location(granule, point ? trace::PointGrade::kPoint : trace::PointGrade::kHandedOver);
    }
    if (change.to != *stamp) set_stamp(stamp, change.to);
  }
  return touched;
}

}  // namespace

void note_for_undo(Stamp* at) {
  if (undo_count < kMaxUndo)
    undo_log[undo_count++] = {at, *at};
  else
    undo_overflow = true;
}

// Everything so far is ordered before all that follows, and nothing of it is left in the shadow.
static void begin_first_phase() {
  phase = 0;
  read_shared = kReadSharedSlot << kSlotShift;
  my_shared_stamp = new_stamp({0, read_shared});
  for (Stamp& stamp : recent) stamp = 0;
}

void shadow_init() {
  grow_states();
  states[kSharedStamp] = kShared;
  states[kHandedOverStamp] = {kHandedOver, kHandedOver};
  next_stamp = kHandedOverStamp + 1;
  begin_first_phase();
}

// The first access of a slice to private memory is by far the most frequent case.
Touched shadow_touch(uintptr_t address, size_t size, bool write, const AccessPlace& place) {
  if (HEDDLE_UNLIKELY(detecting())) return race_shadow_touch(address, size, write, /*atomic=*/false, place);
  Stamp* stamp = stamp_of(address);
  if (HEDDLE_LIKELY(stamp == stamp_of(address + size - 1) && !would_pass(*stamp, write))) {
    const State before = state_at(*stamp);
    if (HEDDLE_LIKELY(is_private(before) && (before.write & kHandedOver) == 0)) {
      set_stamp(stamp, stamp_for({write ? my_interval : before.write, my_interval}));
      return kNotPassed;
    }
  }
  return touch_range(address, size, write, false);
}

Touched shadow_touch_atomic(uintptr_t address, size_t size, bool write) {
  return touch_range(address, size, write, true);
}

namespace {

void fill_stamps(Stamp* begin, Stamp* end, Stamp value) {
  size_t count = static_cast<size_t>(end - begin);
  asm volatile("rep stosl" : "+D"(begin), "+c"(count) : "a"(value) : "memory");
}

Stamp* end_of(uintptr_t address, size_t size) {
  return stamp_of(address + size - 1) + 1;
}

// True if the range is so large that the kernel cleared it.
bool cleared_by_kernel(Stamp* begin, Stamp* end) {
  if (static_cast<size_t>(end - begin) * sizeof(Stamp) < kLargeShadow) return false;
  const uintptr_t first_page = (reinterpret_cast<uintptr_t>(begin) + 4095) & ~uintptr_t{4095};
  const uintptr_t last_page = reinterpret_cast<uintptr_t>(end) & ~uintptr_t{4095};
  fill_stamps(begin, reinterpret_cast<Stamp*>(first_page), kFreshStamp);
  sys_call(SYS_madvise, static_cast<long>(first_page), static_cast<long>(last_page - first_page),
           MADV_DONTNEED);
  fill_stamps(reinterpret_cast<Stamp*>(last_page), end, kFreshStamp);
  return true;
}

}  // namespace

void shadow_clear(uintptr_t address, size_t size) {
  if (size == 0 || !rt.memory_ready) return;
  order_forget(address, size);
  Stamp* begin = stamp_of(address);
  Stamp* end = end_of(address, size);
  if (!cleared_by_kernel(begin, end)) fill_stamps(begin, end, kFreshStamp);
}

void shadow_freed(uintptr_t address, size_t size, uintptr_t pc) {
  if (size == 0) return;
  if (detecting()) return race_shadow_freed(address, size, pc);
  Stamp* begin = stamp_of(address);
  Stamp* end = end_of(address, size);
  if (cleared_by_kernel(begin, end)) return;
  const Stamp stamp = stamp_for({my_interval, my_interval});
  if (undo_mark == 0) return fill_stamps(begin, end, stamp);
  for (; begin < end; ++begin) set_stamp(begin, stamp);
}

void shadow_mark(uintptr_t address, size_t size, trace::PointGrade grade) {
  if (size == 0) return;
  Stamp* stamp = stamp_of(address);
  Stamp* end = end_of(address, size);
  if (grade == trace::PointGrade::kPoint) return fill_stamps(stamp, end, kSharedStamp);
  for (; stamp < end; ++stamp) {
    if (*stamp == kFreshStamp) *stamp = kHandedOverStamp;
  }
}

void shadow_mark_for_now(uintptr_t address, size_t size, trace::PointGrade grade) {
  if (undo_mark == 0) return shadow_mark(address, size, grade);
  if (size == 0) return;
  const Stamp value = grade == trace::PointGrade::kPoint ? kSharedStamp : kHandedOverStamp;
  for (Stamp *stamp = stamp_of(address), *end = end_of(address, size); stamp < end; ++stamp) {
    if (value == kSharedStamp ? *stamp != value : *stamp == kFreshStamp) set_stamp(stamp, value);
  }
}

void shadow_forget(bool put_back) {
  sys_call(SYS_madvise, static_cast<long>(kShadowBase), static_cast<long>(kShadowSize), MADV_DONTNEED);
  if (undo_log == nullptr) undo_log = static_cast<Undo*>(own_memory(kMaxUndo * sizeof(Undo)));
  undo_count = 0;
  undo_overflow = false;
  next_stamp = kHandedOverStamp + 1;
  begin_first_phase();
  undo_mark = put_back ? next_stamp : 0;
  race_shadow_forget();
}

bool shadow_put_back() {
  if (undo_overflow) {
    shadow_forget(true);
    return false;
  }
  while (undo_count > 0) {
    const Undo& undo = undo_log[--undo_count];
    *undo.at = undo.before;
  }
  next_stamp = undo_mark - 1;
  race_shadow_put_back();
  begin_first_phase();
  return true;
}

void begin_slice() {
  const Fiber* fiber = rt.current;
  const bool crowd = fiber->slot == kNoSlot;
  if (detecting()) {
    my_slice_begin = race_shadow_begin_slice(fiber);
    my_shared_stamp = kNoStamp | kWritten;
  } else {
    my_interval = (crowd ? kCrowdSlot : fiber->slot | fiber->known[fiber->slot] << kSlotBits) << kSlotShift;
    my_slice_begin = crowd ? kNoStamp : next_stamp;
  }
  // Detection lets pass what is not recorded anyway.
  const bool looks = detecting() ? (rt.request.flags & trace::request_flag::kRecordAll) != 0 : recording();
  slice_begin = looks ? kNoStamp : my_slice_begin;
  written_slice_begin = slice_begin | kWritten;
  read_shared_stamp = recording() ? kNoStamp | kWritten : my_shared_stamp;
}

void begin_phase() {
  if (!detecting() && phase + 1 < kLastInterval) {  // the last number is that of kShared
    read_shared = kReadSharedSlot << kSlotShift | ++phase << kNumberShift;
    my_shared_stamp = new_stamp({0, read_shared});
  }
  begin_slice();
}

}  // namespace heddle::rt
