// Block coverage per thread, from -fsanitize-coverage (clang: trace-pc-guard, gcc: trace-pc).
#include "runtime/address_space.h"
#include "runtime/recorder.h"
#include "runtime/runtime.h"

using namespace heddle::rt;

namespace {

// A set of (thread, alone, block) already reported; starts small because each execution pays for its pages.
uint64_t* seen;
size_t seen_capacity;
size_t seen_used;

size_t slot_of(const uint64_t* slots, size_t capacity, uint64_t key) {
  size_t at = static_cast<size_t>(key * 0x9e3779b97f4a7c15ull >> 24) & (capacity - 1);
  while (slots[at] != 0 && slots[at] != key) at = (at + 1) & (capacity - 1);
  return at;
}

bool first_time(uint64_t key) {
  if (HEDDLE_UNLIKELY(seen_used * 2 >= seen_capacity)) {
    const size_t larger = seen_capacity == 0 ? 256 : seen_capacity * 2;
    auto* slots = static_cast<uint64_t*>(own_memory(larger * sizeof(uint64_t)));
    for (size_t i = 0; i < seen_capacity; ++i) {
      if (seen[i] != 0) slots[slot_of(slots, larger, seen[i])] = seen[i];
    }
    if (seen != nullptr) drop_own_memory(seen, seen_capacity * sizeof(uint64_t));
    seen = slots;
    seen_capacity = larger;
  }
  const size_t at = slot_of(seen, seen_capacity, key);
  if (seen[at] == key) return false;
  seen[at] = key;
  seen_used++;
  return true;
}

void cover(uintptr_t pc) {
  if (!rt.active || (rt.request.flags & heddle::trace::request_flag::kCoverage) == 0) return;
  const auto thread = static_cast<uint16_t>(rt.current->index);
  const bool is_alone = rt.unjoined == 0 && rt.live_count == 1;
  // 47 address bits, 16 bits of thread index, and whether it was alone.
  if (!first_time(static_cast<uint64_t>(pc) << 17 ^ thread << 1 ^ is_alone)) return;
  append(heddle::trace::TableId::kCoverage, heddle::trace::CoverageRecord{thread, is_alone, site_of(pc)});
}

}  // namespace

HEDDLE_EXPORT void __sanitizer_cov_trace_pc() {
  cover(HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void __sanitizer_cov_trace_pc_guard(uint32_t*) {
  cover(HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void __sanitizer_cov_trace_pc_guard_init(uint32_t* start, uint32_t* stop) {
  for (uint32_t* guard = start; guard < stop; ++guard) *guard = 1;
}
HEDDLE_EXPORT void __sanitizer_cov_pcs_init(const uintptr_t*, const uintptr_t*) {}
HEDDLE_EXPORT void __sanitizer_cov_trace_pc_indir(uintptr_t) {}
