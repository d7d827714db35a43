// What the synchronisation primitives have in common.
//
// State lives inside the pthread objects themselves, in a layout of our own that agrees with the static
// initialisers (all zero, but for a mutex's kind) and needs no registration. Every operation has the same
// shape: describe it as an Op, call point(), change the state, record the event, wake() who may go on.
#pragma once

#include "runtime/failure.h"
#include "runtime/fronts.h"
#include "runtime/happens_before.h"
#include "runtime/recorder.h"
#include "runtime/runtime.h"
#include "runtime/scheduler.h"
#include "runtime/sleep_set.h"
#include "runtime/spin.h"
#include "runtime/sys.h"

namespace heddle::rt {

inline constexpr uint32_t kDestroyed = 0xdead10cc;  // in the `life` word of a destroyed object

inline uintptr_t address_of(const volatile void* object) {
  return reinterpret_cast<uintptr_t>(object);
}

// A point for an operation that can always complete.
inline void simple_point(trace::EventKind kind, uintptr_t object, uintptr_t pc, bool yields = false,
                         uint32_t size = 1) {
  Op op;
  op.kind = kind;
  op.object = object;
  op.size = size;
  op.pc = pc;
  op.yields = yields;
  point(op);
}

inline void record_sync(trace::EventKind kind, uintptr_t object, uintptr_t pc, uint16_t flags = 0,
                        uint32_t peer = 0) {
  order_sync(kind, object, flags);
  record_event({.kind = kind, .pc = pc, .address = object, .size_or_peer = peer, .flags = flags});
}

// Objects that can be destroyed have a `life` word.
template <typename Object>
inline void check_alive(const Object* object, uintptr_t pc, const char* message) {
  if (HEDDLE_UNLIKELY(object->life == kDestroyed)) fail_misuse(message, address_of(object), pc);
}

// A simple point on an object that may be destroyed by others while they run.
template <typename Object>
inline void alive_point(trace::EventKind kind, const Object* object, uintptr_t pc, const char* message) {
  check_alive(object, pc, message);
  simple_point(kind, address_of(object), pc);
  check_alive(object, pc, message);
}

void grow_held_locks(Fiber* fiber);  // threads.cpp

inline void note_held(uintptr_t object, uintptr_t pc, bool shared, bool robust = false) {
  Fiber* self = rt.current;
  if (HEDDLE_UNLIKELY(self->held_count == self->held_capacity)) grow_held_locks(self);
  self->held[self->held_count++] = {object, pc, recorded_context(), shared, robust};
}

inline void note_released(Fiber* fiber, uintptr_t object) {
  for (size_t i = fiber->held_count; i > 0; --i) {
    if (fiber->held[i - 1].object != object) continue;
    for (size_t k = i; k < fiber->held_count; ++k) fiber->held[k - 1] = fiber->held[k];
    fiber->held_count--;
    return;
  }
}

inline bool holds(const Fiber* fiber, uintptr_t object) {
  for (size_t i = 0; i < fiber->held_count; ++i) {
    if (fiber->held[i].object == object) return true;
  }
  return false;
}

// `enabled` of an operation that goes on only by its timeout, or when another thread changes it.
inline bool never(const Op&) {
  return false;
}

inline uint32_t self_id() {
  return rt.current->index + 1;
}

// Waiting until another thread releases this very one. Whether it may go on is written in the fiber, not in
// the object: once everybody is released, the object may be destroyed and its memory used for something else.
// `Op::argument` holds the waiter's index, and below it 32 bits that are free for use.
inline bool is_released(const Op& op) {
  return rt.fibers[op.argument >> 32]->signalled;
}
inline Op wait_for_release_op(trace::EventKind kind, trace::WaitKind wait, uintptr_t object, uintptr_t pc) {
  rt.current->signalled = false;
  Op op;
  op.kind = kind;
  op.wait = wait;
  op.object = object;
  op.pc = pc;
  op.enabled = is_released;
  op.on_signal = OnSignal::kDefer;
  op.argument = uint64_t{rt.current->index} << 32;
  return op;
}
inline void release(Fiber* waiter) {
  waiter->signalled = true;
  waiter->woken_by = self_id();
  order_release_to(waiter);
  wake_from_sleep(waiter);
  spin_release(waiter, SpinEnd::kProgress);
  if (waiter->blocked) {
    waiter->blocked = false;
    rt.blocked_count--;
  }
  spin_note_progress();
}

// sync_mutex.cpp. The operation of locking anything whose first word is its owner (thread + 1), or 0.
Op owner_lock_op(const volatile void* lock, uintptr_t pc);
// Used by condition variables.
void mutex_release_for_wait(void* mutex, uintptr_t pc, uint32_t* saved_depth);
void mutex_acquire_now(void* mutex, uintptr_t pc, uint32_t depth, uint16_t flags);
bool mutex_is_held_by_self(void* mutex);
int mutex_result(void* mutex, uintptr_t pc);  // what acquiring it returns: 0, but for robust ones
// Robust mutexes that a thread leaves locked go to the next one, who is told.
void mutexes_thread_ends(const Fiber* fiber);

// How the event of an operation tells that it had a time limit.
inline uint16_t timed_flag(uint64_t deadline) {
  return deadline != 0 ? trace::event_flag::kTimed : 0;
}

}  // namespace heddle::rt
