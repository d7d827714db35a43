#include "runtime/sleep_set.h"

#include "runtime/dependence.h"

namespace heddle::rt {
void sleep_set_begin() {
  const trace::TableRecord& input = descriptor(trace::ArenaTableId::kInputAsleep);
  const auto* asleep = table<trace::AsleepRecord>(trace::ArenaTableId::kInputAsleep);
  for (uint64_t i = 0; i < input.count; ++i) {
    for (uint32_t k = 0; k < rt.live_count; ++k) {
      Fiber* fiber = rt.live[k];
      if (fiber->schedule_id != asleep[i].thread) continue;
      const bool looks_only = asleep[i].looks_only != 0;
      fiber->asleep_looks_only = looks_only && (fiber->asleep == 0 || fiber->asleep_looks_only);
      if (fiber->asleep == 0) rt.sleeper_count++;
      fiber->asleep |= 1u << static_cast<uint32_t>(asleep[i].kind);
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
    if (fiber->asleep != 0 && fiber != rt.current && depends(fiber->op, fiber->asleep_looks_only, event))
      wake_from_sleep(fiber);
  }
}

}  // namespace heddle::rt
