#include "runtime/spin.h"

#include "runtime/scheduler.h"

namespace heddle::rt {
namespace {

// The third identical read of a loop is taken as spinning: two happen in ordinary code (check, then use).
inline constexpr uint32_t kFirstThreshold = 3;
// Released this often without anybody making progress, a thread stops being parked at all.
inline constexpr uint32_t kMaxThreshold = 1u << 20;

}  // namespace

void spin_note_read(uintptr_t address, uintptr_t pc, uint64_t value) {
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
    const uint32_t threshold = self->spin_threshold != 0 ? self->spin_threshold : kFirstThreshold;
    if (++read.repeats >= threshold && threshold < kMaxThreshold) self->park_when_unlocked = true;
    return;
  }
  if (self->spin_count == kMaxSpinReads) self->spin_count = 0;
  self->spin_reads[self->spin_count++] = {address, pc, value, 1};
}

void spin_park_if_due(Fiber* fiber) {
  if (HEDDLE_LIKELY(!fiber->park_when_unlocked)) return;
  if (fiber->held_count != 0) return;
  fiber->park_when_unlocked = false;
  fiber->parked = true;
  rt.parked_count++;
  policy_demote(fiber);
}

void spin_release(Fiber* fiber) {
  if (!fiber->parked) return;
  fiber->parked = false;
  rt.parked_count--;
  for (uint32_t i = 0; i < fiber->spin_count; ++i) fiber->spin_reads[i].repeats = 1;
}

void spin_wake_slow(uintptr_t address, uintptr_t end) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (!fiber->parked) continue;
    for (uint32_t k = 0; k < fiber->spin_count; ++k) {
      const uintptr_t watched = fiber->spin_reads[k].address;
      if (watched >= end || watched + 8 <= address) continue;
      spin_release(fiber);
      fiber->spin_count = 0;
      break;
    }
  }
}

}  // namespace heddle::rt
