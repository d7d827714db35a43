// Memory accesses: which of them are scheduling points.
//
// One shadow byte per 8 bytes of the program's memory says who has touched it so far:
//   0x00         nobody since it was allocated
//   t, t|0x80    only thread t (2 ≤ t ≤ 0x7d); with 0x80 also written by it. t = 1 stands for "while the
//                program was single-threaded", which orders it before everything: later it counts as 0x00
//   0x7e         several threads, none of which wrote while the program was multithreaded
//   0xff         shared: every access is a scheduling point and is recorded
// Learned sharedness (point_set.h) is applied by writing 0xff when memory comes into being.
//
// Instruction budget of an access that is no scheduling point: shadow address (3), load and compare (4),
// quantum (2). The quantum makes a thread that loops on memory nobody else has touched yield now and then,
// deterministically.
#pragma once

#include "runtime/address_space.h"
#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {

inline constexpr uint8_t kFresh = 0;
inline constexpr uint8_t kSingleThreaded = 1;
inline constexpr uint8_t kFirstOwner = 2;
inline constexpr uint8_t kLastOwner = 0x7b;
inline constexpr uint8_t kNobody = 0x7c;  // as current_owner: sends every access to the slow path
// Owner byte of all threads beyond. It does not tell them apart, so a second touch counts as sharing.
inline constexpr uint8_t kCrowd = 0x7d;
inline constexpr uint8_t kReadShared = 0x7e;
inline constexpr uint8_t kWritten = 0x80;
inline constexpr uint8_t kShared = 0xff;

// Kept apart from `rt` so that the fast path addresses them directly.
extern uint8_t current_owner __attribute__((visibility("hidden")));
extern uint8_t read_shared
    __attribute__((visibility("hidden")));  // kReadShared, or kNobody when all is recorded
extern uint32_t quantum_left __attribute__((visibility("hidden")));

// The shifts also bring non-canonical addresses into range: the program's own access shall crash, not ours.
inline uint8_t* shadow_of(uintptr_t address) {
  return reinterpret_cast<uint8_t*>(kShadowBase + ((address << 17) >> 20));
}

struct Access {
  uintptr_t address;
  uintptr_t pc;
  uint32_t size;
  trace::EventKind kind;
  uint8_t order;
  uint16_t flags;
  bool write;
};

// The access is possibly a scheduling point: looks closer, schedules and records it if so.
void access_slow(const Access& access);
// Block accesses of any length and alignment.
void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc);
void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc);
// Any granule of the range is shared.
bool range_is_shared(uintptr_t address, size_t size);
// Atomic operations: makes the location known to the shadow; true if it is shared, so that the caller
// schedules.
bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc);
// The range begins a new life (allocation) or has ended one (free, unmap).
void shadow_clear(uintptr_t address, size_t size);
void shadow_mark_shared(uintptr_t address, size_t size);
void set_current_owner(const Fiber* fiber);
uint8_t owner_byte_for(uint32_t thread);

template <unsigned kSize, bool kIsWrite>
inline __attribute__((always_inline)) void memory_access(uintptr_t address, uintptr_t pc,
                                                         uint16_t flags = 0) {
  const uint8_t state = *shadow_of(address);
  if constexpr (kIsWrite) {
    if (HEDDLE_LIKELY(state == (current_owner | kWritten)) && HEDDLE_LIKELY(--quantum_left != 0)) return;
  } else {
    if (HEDDLE_LIKELY((state & 0x7f) == current_owner || state == read_shared) &&
        HEDDLE_LIKELY(--quantum_left != 0)) {
      return;
    }
  }
  access_slow({address, pc, kSize, kIsWrite ? trace::EventKind::kWrite : trace::EventKind::kRead, 0, flags,
               kIsWrite});
}

}  // namespace heddle::rt
