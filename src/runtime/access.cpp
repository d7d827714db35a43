#include "runtime/access.h"

#include "runtime/point_set.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/spin.h"

namespace heddle::rt {

Cell current_interval = kNoCell;
Cell read_shared = kReadSharedSlot << kCellSlotShift;
Cell ignored_bits = kHandedOver;
uint32_t quantum_left = ~0u;

namespace {

// Clearing more shadow than this at once is left to the kernel, which only drops touched pages.
inline constexpr size_t kLargeShadow = 64 * 1024;

// The cells that the current thread leaves and that several readers leave, whatever the fast path compares with.
Cell interval_cell;
Cell passing_cell = kNoCell;  // the same, or kNoCell in the crowd, whose threads it does not tell apart
Cell read_shared_cell = kReadSharedSlot << kCellSlotShift;
uint32_t phase;

uint32_t slot_of(Cell cell) {
  return cell >> kCellSlotShift & ((1u << kSlotBits) - 1);
}
uint32_t interval_of(Cell cell) {
  return cell >> kCellIntervalShift;
}

// The next state of a granule after an access by the current thread. Of two accesses of which one is atomic it
// is not the order that counts, but whether there are two threads: atomics are what makes the order.
Cell next_cell(Cell cell, bool write, bool atomic) {
  if (cell == kShared) return kShared;
  const Cell handed = cell & kHandedOver;
  const Cell mine = interval_cell | (write ? kWritten : 0);
  const uint32_t slot = slot_of(cell);
  if ((cell & ~kHandedOver) == kFresh) return mine | handed;
  if (slot == kReadSharedSlot) {
    if ((cell & ~kHandedOver) != read_shared_cell) return mine | handed;  // of an earlier phase
    return write ? kShared : cell;
  }
  if (slot == slot_of(interval_cell) && slot != kCrowdSlot) return mine | (cell & (kWritten | kHandedOver));
  if (is_known_to_all(slot, interval_of(cell))) return mine | handed;
  const bool conflict = write || (cell & kWritten) != 0;
  if (!atomic && slot != kCrowdSlot && is_ordered(slot, interval_of(cell))) {
    return mine | (cell & kWritten) | (conflict ? kHandedOver : handed);
  }
  return conflict ? kShared : read_shared_cell | handed;
}

struct Touched {
  bool point = false;
  bool handed_over = false;
};

// Brings one granule up to date.
void touch(uintptr_t granule, bool write, bool atomic, Touched* touched) {
  Cell* cell = cell_of(granule);
  const Cell before = *cell;
  const Cell after = next_cell(before, write, atomic);
  if (after == kShared) {
    touched->point = true;
    if (before == kShared) return;
    learn_location(granule, trace::PointGrade::kPoint);
  } else if ((after & kHandedOver) != 0) {
    touched->handed_over = true;
    if ((before & kHandedOver) == 0) learn_location(granule, trace::PointGrade::kHandedOver);
  }
  if (after != before) *cell = after;
}

Touched touch_all(uintptr_t address, size_t size, bool write, bool atomic) {
  Touched touched;
  const uintptr_t last = address + size - 1;
  for (uintptr_t granule = address & ~uintptr_t{7}; granule <= last; granule += 8)
    touch(granule, write, atomic, &touched);
  return touched;
}

bool changes_nothing(Cell cell, bool write) {
  cell &= ~kHandedOver;
  if (write) return cell == (passing_cell | kWritten);
  return (cell & ~kWritten) == passing_cell || cell == read_shared_cell;
}

// As touch_all() for longer ranges, most of whose granules are up to date.
Touched touch_range(uintptr_t address, size_t size, bool write) {
  Touched touched;
  const Cell* cell = cell_of(address);
  const Cell* end = cell_of(address + size - 1) + 1;
  for (uintptr_t granule = address & ~uintptr_t{7}; cell < end; ++cell, granule += 8) {
    if (changes_nothing(*cell, write))
      touched.handed_over |= (*cell & kHandedOver) != 0;
    else
      touch(granule, write, false, &touched);
  }
  return touched;
}

// Whether the fast path would have let the access pass if nothing were recorded.
bool passes(uintptr_t address, AccessShape shape) {
  const Cell* cell = cell_of(address);
  const Cell* last = cell_of(address + shape.size - 1);
  for (; cell <= last; ++cell) {
    if (!changes_nothing(*cell, shape.write)) return false;
  }
  return true;
}

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

bool record_everything() {
  return (rt.request.flags & trace::request_flag::kRecordAll) != 0;
}

void expire_quantum(uintptr_t pc) {
  quantum_left = static_cast<uint32_t>(options.quantum);
  if (rt.live_count < 2) return;
  Op op;
  op.kind = trace::EventKind::kYield;
  op.pc = pc;
  op.yields = true;
  point(op);
  record_event({.kind = trace::EventKind::kYield, .pc = pc, .flags = trace::event_flag::kPoint});
}

// What a spinning thread may wait for, or an access that shows that this thread does not spin.
void note_for_spinning(const Access& access) {
  if (access.shape.write) {
    spin_wake(access.address, access.shape.size);
    spin_note_progress();
  } else if ((access.shape.flags & trace::event_flag::kRange) == 0) {
    spin_note_read(access.address, access.pc, read_value(access.address, access.shape.size));
  }
}

void point_access(const Access& access) {
  Op op;
  op.kind = access.kind();
  op.object = access.address;
  op.pc = access.pc;
  point(op);
  record_access(access, trace::event_flag::kPoint);
  note_for_spinning(access);
}

void record_if_wanted(const Access& access, Touched touched) {
  if (touched.handed_over || record_everything()) record_access(access, 0);
}

// An access that has been looked at: schedules it if it is a point, and records it if that is wanted.
void finish_access(const Access& access, Touched touched) {
  if (touched.point) {
    point_access(access);
    return;
  }
  record_if_wanted(access, touched);
  if (touched.handed_over) note_for_spinning(access);
}

// An access which comes here only because it is recorded.
void pass(const Access& access) {
  Touched touched;
  for (uint32_t at = 0; at < access.shape.size; at += 8)
    touched.handed_over |= (*cell_of(access.address + at) & kHandedOver) != 0;
  record_if_wanted(access, touched);
}

}  // namespace

void access_slow(uintptr_t address, uintptr_t pc, AccessShape shape) {
  if (HEDDLE_UNLIKELY(!rt.active)) {
    quantum_left = ~0u;
    return;
  }
  if (HEDDLE_UNLIKELY(rt.inside)) return;
  rt.arena->accesses++;
  const Access access{address, pc, shape};
  if (passes(address, shape)) {
    // The fast path has counted those that it would have let pass.
    const bool counted = quantum_left == 0;
    pass(access);
    if (counted || --quantum_left == 0) expire_quantum(pc);
    return;
  }
  finish_access(access, touch_all(address, shape.size, shape.write, /*atomic=*/false));
}

namespace {

Access range_access(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return {address, pc, {size > ~0u ? ~0u : static_cast<uint32_t>(size), trace::event_flag::kRange, write}};
}

}  // namespace

void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  finish_access(range_access(address, size, write, pc), touch_range(address, size, write));
}

void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  const Touched touched_from = touch_range(from, size, false);
  const Touched touched_to = touch_range(to, size, true);
  const Access read = range_access(from, size, false, pc);
  const Access write = range_access(to, size, true, pc);
  if (!touched_to.point) {
    finish_access(read, touched_from);
    finish_access(write, touched_to);
    return;
  }
  // One step: what is read is read when the step executes.
  Op op;
  op.kind = write.kind();
  op.object = to;
  op.pc = pc;
  point(op);
  if (touched_from.point)
    record_access(read, 0);
  else
    record_if_wanted(read, touched_from);
  record_access(write, trace::event_flag::kPoint);
  note_for_spinning(write);
}

bool free_is_point(uintptr_t address, size_t size) {
  return size != 0 && touch_range(address, size, true).point;
}

bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  if (HEDDLE_UNLIKELY(!rt.active || rt.inside)) return false;
  const Touched touched = touch_all(address, size, write, /*atomic=*/true);
  if (!touched.point && HEDDLE_UNLIKELY(--quantum_left == 0)) expire_quantum(pc);
  return touched.point;
}

namespace {

void fill_cells(Cell* begin, Cell* end, Cell value) {
  size_t count = static_cast<size_t>(end - begin);
  asm volatile("rep stosl" : "+D"(begin), "+c"(count) : "a"(value) : "memory");
}

Cell* end_of(uintptr_t address, size_t size) {
  return cell_of(address + size - 1) + 1;
}

// True if the range is so large that the kernel cleared it.
bool cleared_by_kernel(Cell* begin, Cell* end) {
  if (static_cast<size_t>(end - begin) * sizeof(Cell) < kLargeShadow) return false;
  const uintptr_t first_page = (reinterpret_cast<uintptr_t>(begin) + 4095) & ~uintptr_t{4095};
  const uintptr_t last_page = reinterpret_cast<uintptr_t>(end) & ~uintptr_t{4095};
  fill_cells(begin, reinterpret_cast<Cell*>(first_page), kFresh);
  sys_call(SYS_madvise, static_cast<long>(first_page), static_cast<long>(last_page - first_page),
           MADV_DONTNEED);
  fill_cells(reinterpret_cast<Cell*>(last_page), end, kFresh);
  return true;
}

}  // namespace

void shadow_clear(uintptr_t address, size_t size) {
  if (size == 0 || !rt.memory_ready) return;
  order_forget(address, size);
  Cell* begin = cell_of(address);
  Cell* end = end_of(address, size);
  if (!cleared_by_kernel(begin, end)) fill_cells(begin, end, kFresh);
}

void shadow_freed(uintptr_t address, size_t size) {
  if (size == 0) return;
  Cell* begin = cell_of(address);
  Cell* end = end_of(address, size);
  if (!cleared_by_kernel(begin, end)) fill_cells(begin, end, interval_cell | kWritten);
}

void shadow_mark(uintptr_t address, size_t size, trace::PointGrade grade) {
  if (size == 0) return;
  Cell* cell = cell_of(address);
  Cell* end = end_of(address, size);
  if (grade == trace::PointGrade::kPoint) return fill_cells(cell, end, kShared);
  for (; cell < end; ++cell) *cell |= kHandedOver;
}

void set_current_owner(const Fiber* fiber) {
  const uint32_t slot = fiber->slot;
  interval_cell = slot << kCellSlotShift | (slot == kCrowdSlot ? 0 : fiber->known[slot] << kCellIntervalShift);
  passing_cell = slot == kCrowdSlot ? kNoCell : interval_cell;
  current_interval = record_everything() ? kNoCell : passing_cell;
  read_shared = record_everything() ? kNoCell : read_shared_cell;
  ignored_bits = recording() ? 0 : kHandedOver;
}

void begin_phase() {
  if (phase == kLastInterval) return;
  read_shared_cell = kReadSharedSlot << kCellSlotShift | ++phase << kCellIntervalShift;
  set_current_owner(rt.current);
}

}  // namespace heddle::rt
