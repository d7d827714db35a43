#include "runtime/spin.h"

#include "runtime/access.h"
#include "runtime/scheduler.h"

namespace heddle::rt {
namespace {

// The third identical read of a loop is taken as spinning: two happen in ordinary code (check, then use).
inline constexpr uint32_t kFirstThreshold = 3;
// Of a location that is only handed over: loops that do private work under a lock read such ones, too.
inline constexpr uint32_t kPatientThreshold = 32;
// Rounds a released thread may run: more than the retries of common adaptive waits (libstdc++ does 16).
inline constexpr uint32_t kFirstForward = 64;
// A loop this long is not parked any more; the step limit will tell.
inline constexpr uint32_t kMaxThreshold = 1u << 20;

// Accesses between two rounds of a loop that make it work rather than waiting.
inline constexpr uint64_t kWork = 256;
HEDDLE_EXECUTION uint64_t accesses_at_switch;

// What a waiting loop consists of: the reads seen so far, ways to let others go first, and locks around them.
bool in_loop(const Fiber* fiber, const Op& op) {
  switch (op.kind) {
    case trace::EventKind::kYield:
    case trace::EventKind::kSleep:
    case trace::EventKind::kLock:
    case trace::EventKind::kReadLock:
    case trace::EventKind::kCondWake:
      return true;
    default:
      break;
  }
  for (uint32_t i = 0; i < fiber->spin_count; ++i) {
    if (fiber->spin_reads[i].address == op.object && fiber->spin_reads[i].pc == op.pc) return true;
  }
  return false;
}

// Of the current thread, which has not stopped.
uint64_t accesses_of(const Fiber* self) {
  return self->accesses + accesses_made() - accesses_at_switch;
}

}  // namespace

void spin_note_switch(Fiber* from) {
  const uint64_t accesses = accesses_made();
  from->accesses += accesses - accesses_at_switch;
  accesses_at_switch = accesses;
}

void spin_note_read(uintptr_t address, size_t size, uintptr_t pc, uint64_t value, bool patient) {
  Fiber* self = rt.current;
  if ((rt.request.flags & trace::request_flag::kNoSpinParking) != 0 || rt.live_count < 2) return;
  for (uint32_t i = 0; i < self->spin_count; ++i) {
    SpinRead& read = self->spin_reads[i];
    if (read.address != address || read.pc != pc) continue;
    if (read.value != value) {
      self->spin_count = 0;
      self->park_when_unlocked = false;
      break;
    }
    const uint64_t accesses = accesses_of(self);
    if (accesses - read.accesses > kWork) read.repeats = 0;
    read.accesses = accesses;
    const uint32_t first = patient ? kPatientThreshold : kFirstThreshold;
    const uint32_t threshold = self->spin_threshold != 0 ? self->spin_threshold : first;
    if (++read.repeats >= threshold && threshold < kMaxThreshold) self->park_when_unlocked = true;
    return;
  }
  if (self->spin_count == kMaxSpinReads) self->spin_count = 0;
  self->spin_reads[self->spin_count++] = {address, address + size, pc, value, accesses_of(self), 1};
}

void spin_park_if_due(Fiber* fiber, const Op& op) {
  if (HEDDLE_LIKELY(!fiber->park_when_unlocked)) return;
  if (fiber->held_count != 0) return;
  fiber->park_when_unlocked = false;
  if (!in_loop(fiber, op)) return;
  fiber->parked_step = rt.steps;
  fiber->parked = true;
  rt.parked_count++;
  policy_demote(fiber);
}

void spin_release(Fiber* fiber, SpinEnd why) {
  if (!fiber->parked) return;
  fiber->parked = false;
  rt.parked_count--;
  if (why == SpinEnd::kProgress) {
    fiber->spin_count = 0;
    fiber->spin_threshold = 0;
    return;
  }
  if (fiber->spin_threshold == 0)
    fiber->spin_threshold = kFirstForward;
  else if (why == SpinEnd::kNobodyElse)
    fiber->spin_threshold *= 2;
  fiber->fast_forward = fiber->spin_threshold * kMaxSpinReads;
  for (uint32_t i = 0; i < fiber->spin_count; ++i) fiber->spin_reads[i].repeats = 1;
}

bool spin_fast_forwards(Fiber* fiber, const Op& op) {
  if (HEDDLE_LIKELY(fiber->fast_forward == 0)) return false;
  if (fiber->parked || fiber->park_when_unlocked || !in_loop(fiber, op)) {
    fiber->fast_forward = 0;
    return false;
  }
  fiber->fast_forward--;
  return true;
}

void spin_wake_slow(uintptr_t address, uintptr_t end) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (!fiber->parked) continue;
    for (uint32_t k = 0; k < fiber->spin_count; ++k) {
      // Exactly: what happens next to it in memory must not decide who runs.
      const SpinRead& watched = fiber->spin_reads[k];
      if (watched.address >= end || watched.end <= address) continue;
      spin_release(fiber, SpinEnd::kProgress);
      break;
    }
  }
}

}  // namespace heddle::rt
