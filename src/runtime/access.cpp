#include "runtime/access.h"

#include "runtime/race_shadow.h"
#include "runtime/race_slice.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/spin.h"

namespace heddle::rt {

uint32_t quantum_left = ~0u;

namespace {

HEDDLE_EXECUTION uint64_t in_expired_quanta;

uint64_t read_value(uintptr_t address, uint32_t size) {
  switch (size) {
    case 1:
      return *reinterpret_cast<const volatile uint8_t*>(address);
    case 2:
      return *reinterpret_cast<const volatile uint16_t*>(address);
    case 4:
      return *reinterpret_cast<const volatile uint32_t*>(address);
    default:
      return *reinterpret_cast<const volatile uint64_t*>(address);
  }
}

// Virtual nanoseconds, about what an access takes natively with ThreadSanitizer: see kStepTime in
// scheduler.cpp.
inline constexpr uint64_t kAccessTime = 10;

void expire_quantum(uintptr_t pc) {
  quantum_left = static_cast<uint32_t>(options.quantum);
  in_expired_quanta += options.quantum;
  rt.clock += options.quantum * kAccessTime;
  if (rt.live_count < 2) return;
  Op op;
  op.kind = trace::EventKind::kYield;
  op.pc = pc;
  op.yields = true;
  point(op);
  record_event({.kind = trace::EventKind::kYield, .pc = pc, .flags = trace::event_flag::kPoint});
}

// What a spinning thread may wait for, or an access that shows that this thread does not spin.
void note_for_spinning(const Access& access, bool is_point) {
  if (access.shape.write) {
    spin_wake(access.address, access.shape.size);
    spin_note_progress();
  } else if ((access.shape.flags & trace::event_flag::kRange) == 0) {
    spin_note_read(access.address, access.shape.size, access.pc,
                   read_value(access.address, access.shape.size), !is_point);
  }
}

void point_access(const Access& access) {
  Op op;
  op.kind = access.kind();
  op.object = access.address;
  op.size = access.shape.size;
  op.pc = access.pc;
  point(op);
  record_access(access, trace::event_flag::kPoint);
  note_for_spinning(access, true);
}

void record_if_wanted(const Access& access, Touched touched) {
  const bool wanted =
      (touched & kTouchedHandedOver) != 0 && (rt.request.flags & trace::request_flag::kRecordPointsOnly) == 0;
  if (wanted || record_everything()) record_access(access, 0);
}

// An access that has been looked at: schedules it if it is a point, and records it if that is wanted.
void finish_access(const Access& access, Touched touched) {
  if ((touched & kTouchedPoint) != 0) {
    point_access(access);
    return;
  }
  record_if_wanted(access, touched);
  if ((touched & kTouchedHandedOver) != 0) note_for_spinning(access, false);
}

}  // namespace

uint64_t accesses_made() {
  return in_expired_quanta + options.quantum - quantum_left + rt.arena->accesses;
}

namespace {

__attribute__((noinline)) void look_at_access(uintptr_t address, uintptr_t pc, AccessShape shape) {
  const Access access{address, pc, shape};
  const bool counted = quantum_left == 0;  // by the fast path, which let it pass
  const AccessPlace place{pc, shape.flags, false};
  const Touched touched = HEDDLE_UNLIKELY(detecting())
                              ? race_shadow_access(address, shape.size, shape.write, place)
                              : shadow_touch(address, shape.size, shape.write, place);
  if (HEDDLE_LIKELY(touched == kNotPassed && !record_everything())) return;
  if ((touched & kNotPassed) != 0) {
    finish_access(access, touched);
    return;
  }
  record_if_wanted(access, touched);
  if (counted || --quantum_left == 0) expire_quantum(pc);
}

}  // namespace

void access_slow(uintptr_t address, uintptr_t pc, AccessShape shape) {
  if (HEDDLE_UNLIKELY(!rt.active)) {
    quantum_left = ~0u;
    return;
  }
  if (HEDDLE_UNLIKELY(rt.inside)) return;
  rt.arena->accesses++;
  if (HEDDLE_UNLIKELY(detecting()) && !record_everything() &&
      repeats_transition(address, shape.size, shape.write, pc)) {
    return;
  }
  look_at_access(address, pc, shape);
}

namespace {

Access range_access(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return {address, pc, {size > ~0u ? ~0u : static_cast<uint32_t>(size), trace::event_flag::kRange, write}};
}

}  // namespace

void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  finish_access(range_access(address, size, write, pc),
                shadow_touch(address, size, write, {pc, trace::event_flag::kRange, false}));
}

void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  const Touched touched_from = shadow_touch(from, size, false, {pc, trace::event_flag::kRange, false});
  const Touched touched_to = shadow_touch(to, size, true, {pc, trace::event_flag::kRange, false});
  const Access read = range_access(from, size, false, pc);
  const Access write = range_access(to, size, true, pc);
  if ((touched_to & kTouchedPoint) == 0) {
    finish_access(read, touched_from);
    finish_access(write, touched_to);
    return;
  }
  // One step: what is read is read when the step executes.
  Op op;
  op.kind = write.kind();
  op.object = to;
  op.size = write.shape.size;
  op.touches_more = true;
  op.pc = pc;
  point(op);
  if ((touched_from & kTouchedPoint) != 0)
    record_access(read, 0);
  else
    record_if_wanted(read, touched_from);
  record_access(write, trace::event_flag::kPoint);
  note_for_spinning(write, true);
}

bool free_is_point(uintptr_t address, size_t size, uintptr_t pc) {
  return size != 0 && (shadow_touch(address, size, true, {pc, 0, true}) & kTouchedPoint) != 0;
}

bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  if (HEDDLE_UNLIKELY(!rt.active || rt.inside)) return false;
  const Touched touched = HEDDLE_UNLIKELY(detecting()) ? race_shadow_atomic(address, size, write, pc)
                                                       : shadow_touch_atomic(address, size, write);
  const bool is_point = (touched & kTouchedPoint) != 0;
  if (!is_point && HEDDLE_UNLIKELY(--quantum_left == 0)) expire_quantum(pc);
  return is_point;
}

}  // namespace heddle::rt
