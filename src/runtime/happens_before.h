// Happens-before: what each thread knows of the others.
//
// Every thread has a vector clock: for each other thread, the last of its intervals whose accesses are
// ordered before whatever this thread does now. An interval of a thread ends when it passes its knowledge on
// (unlocks, stores to an atomic, creates a thread, notifies). Two accesses that are ordered need no
// scheduling point: they can only change places if the synchronisation between them does, and that is a
// scheduling point itself.
//
// Edges: unlock → later lock of the same object, write → later atomic access of the same location, post →
// wait, use of a descriptor → later use, sending of a signal → its handler, arrival → departure of a
// barrier, end of a once → passing it, create → begin, end → join, and notify → the thread that it woke.
// Which operation does what is said in detect/order_rules.h. For scheduling points, atomics of every memory
// order count: interleavings are sequentially consistent, and the atomics are scheduling points themselves.
// When races are to be detected, memory orders and fences count as in C++. Nothing is tracked while the
// program is single-threaded.
//
// A thread has a *slot* in these vectors. The slot of an ended thread is used again by a thread whose creator
// knows of the end, so the vectors do not grow with every thread ever made. Threads that find no slot, or
// that use up their interval numbers, belong to the *crowd*, whose accesses are never ordered with those of
// others. Detection has more room, so that there is none in practice, and does not look at what it does.
#pragma once

#include "detect/order_rules.h"
#include "runtime/runtime.h"

namespace heddle::rt {

inline constexpr uint32_t kSlotBits = 9;
inline constexpr uint32_t kIntervalBits = 22;
inline constexpr uint32_t kCrowdSlot = (1u << kSlotBits) - 2;
inline constexpr uint32_t kLastInterval = (1u << kIntervalBits) - 1;
inline constexpr uint32_t kNoSlot = ~0u;  // of a fiber in the crowd

// Forgets what threads knew in an earlier execution of the same process.
void order_begin_execution();
// Gives the fiber its slot and first interval; `parent` is null for the main thread.
void order_begin(Fiber* fiber, Fiber* parent);
void order_end(Fiber* fiber);
// The memory of its fences is used for others.
void order_recycle(Fiber* fiber);
// `to` has waited for something that the current thread has just done, or for the end of `from`.
void order_release_to(Fiber* to);
void order_join(const Fiber* from);

void order_sync_slow(trace::EventKind kind, uintptr_t object, uint16_t flags);
// A synchronisation operation has been executed by the current thread.
inline void order_sync(trace::EventKind kind, uintptr_t object, uint16_t flags) {
  if (rt.multithreaded) order_sync_slow(kind, object, flags);
}

void order_acquire(uintptr_t object);
void order_release(uintptr_t object, bool forget_earlier = false);
void order_atomic_slow(uintptr_t location, bool reads, bool writes, trace::MemoryOrder order);
// An atomic operation has been executed.
inline void order_atomic(uintptr_t location, bool reads, bool writes, int order) {
  if (rt.multithreaded) order_atomic_slow(location, reads, writes, static_cast<trace::MemoryOrder>(order));
}
void order_fence(int order);
// The memory begins a new life: what was synchronised through it before orders nothing.
void order_forget(uintptr_t address, size_t size);

// Whether interval `interval` of `slot` is ordered before what the current thread does now.
inline bool is_ordered(uint32_t slot, uint32_t interval) {
  const Fiber* self = rt.current;
  return slot < self->known_size && interval <= self->known[slot];
}
// Whether it is ordered before whatever any thread does from now on.
bool is_known_to_all(uint32_t slot, uint32_t interval);
// Whether it ended before the program became multithreaded (for the last time).
extern uint32_t* known_before __attribute__((visibility("hidden")));
extern uint32_t known_before_size __attribute__((visibility("hidden")));
inline bool is_before_threads(uint32_t slot, uint32_t interval) {
  return slot < known_before_size && interval <= known_before[slot];
}
// The program becomes multithreaded.
void order_threads_begin();

}  // namespace heddle::rt
