// What the synchronisation primitives have in common.
//
// State lives inside the pthread objects themselves, in a layout of our own that agrees with the static
// initialisers (all zero, but for a mutex's kind) and needs no registration. Every operation has the same
// shape: describe it as an Op, call point(), change the state, record the event, wake() who may go on.
#pragma once

#include "runtime/failure.h"
#include "runtime/fronts.h"
#include "runtime/recorder.h"
#include "runtime/runtime.h"
#include "runtime/scheduler.h"
#include "runtime/spin.h"
#include "runtime/sys.h"

namespace heddle::rt {

inline constexpr uint32_t kDestroyed = 0xdead10cc;  // in the `life` word of a destroyed object

inline uintptr_t address_of(const volatile void* object) {
  return reinterpret_cast<uintptr_t>(object);
}

// A point for an operation that can always complete.
inline void simple_point(trace::EventKind kind, uintptr_t object, uintptr_t pc, bool yields = false) {
  Op op;
  op.kind = kind;
  op.object = object;
  op.pc = pc;
  op.yields = yields;
  point(op);
}

inline void record_sync(trace::EventKind kind, uintptr_t object, uintptr_t pc, uint16_t flags = 0, uint32_t peer = 0) {
  record_event({.kind = kind, .pc = pc, .address = object, .size_or_peer = peer, .flags = flags});
}

inline void note_held(uintptr_t object, uintptr_t pc, bool shared) {
  Fiber* self = rt.current;
  if (self->held_count < kMaxHeldLocks) {
    self->held[self->held_count] = {object, pc, recorded_context(), shared};
  }
  self->held_count++;
}

inline void note_released(Fiber* fiber, uintptr_t object) {
  const size_t known = fiber->held_count < kMaxHeldLocks ? fiber->held_count : kMaxHeldLocks;
  for (size_t i = known; i > 0; --i) {
    if (fiber->held[i - 1].object != object) continue;
    for (size_t k = i; k < known; ++k) fiber->held[k - 1] = fiber->held[k];
    fiber->held_count--;
    return;
  }
  if (fiber->held_count > kMaxHeldLocks) fiber->held_count--;
}

inline bool holds(const Fiber* fiber, uintptr_t object) {
  const size_t known = fiber->held_count < kMaxHeldLocks ? fiber->held_count : kMaxHeldLocks;
  for (size_t i = 0; i < known; ++i) {
    if (fiber->held[i].object == object) return true;
  }
  return false;
}

inline uint32_t self_id() {
  return rt.current->index + 1;
}

// sync_mutex.cpp, used by condition variables.
void mutex_release_for_wait(void* mutex, uintptr_t pc, uint32_t* saved_depth);
Op mutex_lock_op(void* mutex, uintptr_t pc);
void mutex_acquire_now(void* mutex, uintptr_t pc, uint32_t depth, uint16_t flags);
bool mutex_is_held_by_self(void* mutex);

}  // namespace heddle::rt
