// Memory accesses: the inline path of those that have nothing to do, and what becomes of the others.
//
// Instruction budget of an access in a slice (shadow.h) in which the granule was accessed the same way
// before: stamp address (3), load and compare (3), quantum (2). The quantum makes a thread that loops on
// memory nobody else has touched yield now and then, deterministically.
#pragma once

#include "runtime/runtime.h"
#include "runtime/shadow.h"

namespace heddle::rt {

extern uint32_t quantum_left __attribute__((visibility("hidden")));
// Accesses of all threads so far: differences tell how much somebody has worked.
uint64_t accesses_made();

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

// Also what no other thread can see.
inline bool record_everything() {
  return (rt.request.flags & trace::request_flag::kRecordAll) != 0;
}

// The access is possibly a scheduling point: looks closer, schedules and records it if so.
void access_slow(uintptr_t address, uintptr_t pc, AccessShape shape);
// Block accesses of any length and alignment.
void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc);
void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc);
// Freeing memory is a write to all of it. True if that is not ordered with what others did to it.
bool free_is_point(uintptr_t address, size_t size, uintptr_t pc);
// Atomic operations: makes the location known to the shadow; true if several threads use it, so that the
// caller schedules.
bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc);
template <unsigned kSize, bool kIsWrite>
inline __attribute__((always_inline)) void memory_access(uintptr_t address, uintptr_t pc,
                                                         uint16_t flags = 0) {
  if (passes<kIsWrite>(stamp_of(address)) && HEDDLE_LIKELY(--quantum_left != 0)) return;
  access_slow(address, pc, {kSize, flags, kIsWrite});
}

}  // namespace heddle::rt
