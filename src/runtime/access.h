// Memory accesses: which of them are scheduling points.
//
// Every 8 bytes of the program's memory (a *granule*) have a 4-byte *cell* of shadow memory:
//   0 (or kHandedOver)      nobody has touched it since it was allocated
//   interval of a thread    the last access was in that interval (happens_before.h) and everything before it is
//                           ordered before it. kWritten: some thread has written it, and not all know of that.
//   read_shared             several threads have read it in no order; nobody has written since they could
//   kShared                 some two accesses were not ordered: from here on, every access is a scheduling point
// kHandedOver is set when a thread touches what another one wrote, with the order assured: such accesses are
// recorded but are no points. What is learned of earlier executions (point_set.h) is applied by writing
// kShared or kHandedOver when memory comes into being.
//
// Instruction budget of an access in the interval in which the granule was touched before: cell address (3),
// load and compare (4), quantum (2). The quantum makes a thread that loops on memory nobody else has touched
// yield now and then, deterministically.
#pragma once

#include "runtime/address_space.h"
#include "runtime/happens_before.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {

using Cell = uint32_t;

inline constexpr Cell kWritten = 1;
inline constexpr Cell kHandedOver = 2;
inline constexpr unsigned kCellSlotShift = 2;
inline constexpr unsigned kCellIntervalShift = kCellSlotShift + kSlotBits;
static_assert(kCellIntervalShift + kIntervalBits == 32);
inline constexpr Cell kFresh = 0;
inline constexpr Cell kShared = ~Cell{0};
inline constexpr uint32_t kReadSharedSlot = kCrowdSlot + 1;  // the interval field holds the phase
inline constexpr Cell kNoCell = kReadSharedSlot << kCellSlotShift | kWritten;  // never stored

// What the fast path compares with. Kept apart from `rt` so that it addresses them directly.
extern Cell current_interval __attribute__((visibility("hidden")));
extern Cell read_shared __attribute__((visibility("hidden")));
extern Cell ignored_bits __attribute__((visibility("hidden")));  // of a cell: kHandedOver unless recording
extern uint32_t quantum_left __attribute__((visibility("hidden")));

// The shifts also bring non-canonical addresses into range: the program's own access shall crash, not ours.
inline Cell* cell_of(uintptr_t address) {
  return reinterpret_cast<Cell*>(kShadowBase) + ((address << 18) >> 21);
}

// An instrumented access, but for its address and place; fits a register.
struct AccessShape {
  uint32_t size;
  uint16_t flags;
  bool write;
};
struct Access {
  uintptr_t address;
  uintptr_t pc;
  AccessShape shape;

  trace::EventKind kind() const { return shape.write ? trace::EventKind::kWrite : trace::EventKind::kRead; }
};

// The access is possibly a scheduling point: looks closer, schedules and records it if so.
void access_slow(uintptr_t address, uintptr_t pc, AccessShape shape);
// Block accesses of any length and alignment.
void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc);
void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc);
// Freeing memory is a write to all of it. True if that is not ordered with what others did to it.
bool free_is_point(uintptr_t address, size_t size);
// Atomic operations: makes the location known to the shadow; true if several threads use it, so that the caller
// schedules.
bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc);
// The range begins a new life (allocation) or has ended one (unmap).
void shadow_clear(uintptr_t address, size_t size);
// The range has ended its life by the current thread's doing; what others still do to it is not ordered.
void shadow_freed(uintptr_t address, size_t size);
void shadow_mark(uintptr_t address, size_t size, trace::PointGrade grade);
void set_current_owner(const Fiber* fiber);
// All threads but one are gone, so everything so far is ordered before all that follows.
void begin_phase();

template <bool kIsWrite>
inline __attribute__((always_inline)) bool is_mine(Cell cell) {
  if constexpr (kIsWrite)
    return HEDDLE_LIKELY((cell & ~ignored_bits) == (current_interval | kWritten));
  else
    return HEDDLE_LIKELY((cell & ~(kWritten | ignored_bits)) == current_interval) || cell == read_shared;
}

template <unsigned kSize, bool kIsWrite>
inline __attribute__((always_inline)) void memory_access(uintptr_t address, uintptr_t pc,
                                                         uint16_t flags = 0) {
  if (is_mine<kIsWrite>(*cell_of(address)) && HEDDLE_LIKELY(--quantum_left != 0)) return;
  access_slow(address, pc, {kSize, flags, kIsWrite});
}

}  // namespace heddle::rt
