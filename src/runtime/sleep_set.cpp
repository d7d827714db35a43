#include "runtime/sleep_set.h"

#include "trace/dependence.h"

namespace heddle::rt {
namespace {

bool overlap(uintptr_t a, uint64_t a_size, uintptr_t b, uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

bool has_size(trace::EventKind kind) {
  switch (kind) {
    case trace::EventKind::kRead:
    case trace::EventKind::kWrite:
    case trace::EventKind::kAtomicRead:
    case trace::EventKind::kAtomicWrite:
    case trace::EventKind::kAtomicUpdate:
    case trace::EventKind::kFree:
      return true;
    default:
      return false;
  }
}

// Operations that touch more than their object are taken to depend on everything that could be meant.
bool depends(const Fiber* fiber, const EventSpec& event) {
  const Op& pending = fiber->op;
  const auto event_class = trace::class_of(event.kind, event.flags);
  const auto pending_class =
      trace::class_of(pending.kind, fiber->asleep_looks_only ? trace::event_flag::kFailed : 0);
  if (pending.touches_more) return event_class != trace::OperationClass::kNone;
  if (pending_class == trace::OperationClass::kEverything ||
      event_class == trace::OperationClass::kEverything)
    return true;
  // A wait on a condition also unlocks a mutex, which a try-lock notices.
  if (pending.kind == trace::EventKind::kCondWait && event_class == trace::OperationClass::kLockTest)
    return true;
  const uint64_t size = has_size(event.kind) && event.size_or_peer != 0 ? event.size_or_peer : 1;
  return overlap(pending.object, pending.size, event.address, size) &&
         trace::classes_depend(pending_class, event_class);
}

}  // namespace

void sleep_set_begin() {
  const trace::TableRecord& input = descriptor(trace::ArenaTableId::kInputAsleep);
  const auto* asleep = table<trace::AsleepRecord>(trace::ArenaTableId::kInputAsleep);
  for (uint64_t i = 0; i < input.count; ++i) {
    for (uint32_t k = 0; k < rt.live_count; ++k) {
      Fiber* fiber = rt.live[k];
      if (fiber->schedule_id != asleep[i].thread) continue;
      if (fiber->asleep == 0) rt.sleeper_count++;
      fiber->asleep |= 1u << static_cast<uint32_t>(asleep[i].kind);
      fiber->asleep_looks_only = asleep[i].looks_only != 0;
    }
  }
}

void wake_from_sleep(Fiber* fiber) {
  if (fiber->asleep == 0) return;
  fiber->asleep = 0;
  rt.sleeper_count--;
}

void wake_dependent(const EventSpec& event) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->asleep != 0 && fiber != rt.current && depends(fiber, event)) wake_from_sleep(fiber);
  }
}

}  // namespace heddle::rt
