#include "runtime/access.h"

#include "runtime/point_set.h"
#include "runtime/recorder.h"
#include "runtime/scheduler.h"
#include "runtime/spin.h"

namespace heddle::rt {

uint8_t current_owner = kSingleThreaded;
uint8_t read_shared = kReadShared;
uint32_t quantum_left = ~0u;

namespace {

// Clearing more shadow than this at once is left to the kernel, which only drops touched pages.
inline constexpr size_t kLargeShadow = 64 * 1024;

// The next state of a granule after an access by the current thread; kShared is absorbing.
uint8_t next_state(uint8_t state, bool write) {
  const uint8_t owner = state & 0x7f;
  if (!rt.multithreaded)
    return state == kShared ? kShared : kSingleThreaded | (write ? kWritten : state & kWritten);
  if (state == kShared) return kShared;
  if (state == kReadShared) return write ? kShared : kReadShared;
  if (owner == kFresh || owner == kSingleThreaded) {
    return rt.current->owner_byte | (write ? kWritten : 0);
  }
  if (owner == rt.current->owner_byte && owner != kCrowd) return state | (write ? kWritten : 0);
  return write || (state & kWritten) != 0 ? kShared : kReadShared;
}

// Brings one granule up to date; true if it is shared.
bool touch(uintptr_t granule, bool write) {
  uint8_t* shadow = shadow_of(granule);
  const uint8_t before = *shadow;
  if (before == kShared) return true;
  const uint8_t after = next_state(before, write);
  if (after != before) *shadow = after;
  if (after != kShared) return false;
  learn_shared(granule);
  return true;
}

uint64_t read_value(uintptr_t address, uint32_t size) {
  switch (size) {
    case 1:
      return *reinterpret_cast<const volatile uint8_t*>(address);
    case 2:
      return *reinterpret_cast<const volatile uint16_t*>(address);
    case 4:
      return *reinterpret_cast<const volatile uint32_t*>(address);
    default:
      return *reinterpret_cast<const volatile uint64_t*>(address);
  }
}

bool record_everything() {
  return (rt.request.flags & trace::request_flag::kRecordAll) != 0;
}

void expire_quantum(uintptr_t pc) {
  quantum_left = static_cast<uint32_t>(options.quantum);
  if (rt.live_count < 2) return;
  Op op;
  op.kind = trace::EventKind::kYield;
  op.pc = pc;
  op.yields = true;
  point(op);
  record_event({.kind = trace::EventKind::kYield, .pc = pc, .flags = trace::event_flag::kPoint});
}

void shared_access(const Access& access) {
  Op op;
  op.kind = access.kind;
  op.object = access.address;
  op.pc = access.pc;
  point(op);
  record_access(access, trace::event_flag::kPoint);
  if (access.write) {
    spin_wake(access.address, access.size);
    spin_note_progress();
  } else if ((access.flags & trace::event_flag::kRange) == 0) {
    spin_note_read(access.address, access.pc, read_value(access.address, access.size));
  }
}

}  // namespace

void access_slow(const Access& access) {
  if (HEDDLE_UNLIKELY(!rt.active)) {
    quantum_left = ~0u;
    return;
  }
  if (HEDDLE_UNLIKELY(rt.inside)) return;
  rt.arena->accesses++;
  const bool expired = quantum_left == 0;
  const uintptr_t last = access.address + access.size - 1;
  bool shared = false;
  for (uintptr_t granule = access.address & ~uintptr_t{7}; granule <= last; granule += 8) {
    shared |= touch(granule, access.write);
  }
  if (shared) {
    shared_access(access);
  } else {
    if (record_everything()) record_access(access, 0);
    if (HEDDLE_UNLIKELY(expired)) expire_quantum(access.pc);
  }
  if (quantum_left == 0) quantum_left = static_cast<uint32_t>(options.quantum);
}

bool range_is_shared(uintptr_t address, size_t size) {
  if (size == 0) return false;
  const uint8_t* shadow = shadow_of(address);
  const uint8_t* end = shadow_of(address + size - 1) + 1;
  for (; shadow < end; ++shadow) {
    if (*shadow == kShared) return true;
  }
  return false;
}

namespace {

// Brings all granules of the range up to date; true if any of them is shared.
bool touch_range(uintptr_t address, size_t size, bool write) {
  const uint8_t mine = current_owner | (write ? kWritten : 0);
  const uint8_t* shadow = shadow_of(address);
  const uint8_t* end = shadow_of(address + size - 1) + 1;
  bool shared = false;
  for (uintptr_t granule = address & ~uintptr_t{7}; shadow < end; ++shadow, granule += 8) {
    if (*shadow == mine || (!write && (*shadow & 0x7f) == current_owner)) continue;
    shared |= touch(granule, write);
  }
  return shared;
}

Access range_access(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  return {address,
          pc,
          size > ~0u ? ~0u : static_cast<uint32_t>(size),
          write ? trace::EventKind::kWrite : trace::EventKind::kRead,
          0,
          trace::event_flag::kRange,
          write};
}

}  // namespace

void access_range(uintptr_t address, size_t size, bool write, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  const Access access = range_access(address, size, write, pc);
  if (touch_range(address, size, write))
    shared_access(access);
  else if (record_everything())
    record_access(access, 0);
}

void access_copy(uintptr_t to, uintptr_t from, size_t size, uintptr_t pc) {
  if (size == 0 || HEDDLE_UNLIKELY(!rt.active || rt.inside)) return;
  const bool from_shared = touch_range(from, size, false);
  const bool to_shared = touch_range(to, size, true);
  const Access read = range_access(from, size, false, pc);
  const Access write = range_access(to, size, true, pc);
  if (to_shared) {
    // One step: what is read is read when the step executes.
    Op op;
    op.kind = write.kind;
    op.object = to;
    op.pc = pc;
    point(op);
    if (from_shared) record_access(read, 0);
    record_access(write, trace::event_flag::kPoint);
    spin_wake(to, size);
    spin_note_progress();
  } else if (from_shared) {
    shared_access(read);
  } else if (record_everything()) {
    record_access(read, 0);
    record_access(write, 0);
  }
}

bool atomic_is_point(uintptr_t address, uint32_t size, bool write, uintptr_t pc) {
  if (HEDDLE_UNLIKELY(!rt.active || rt.inside)) return false;
  bool shared = false;
  const uintptr_t last = address + size - 1;
  for (uintptr_t granule = address & ~uintptr_t{7}; granule <= last; granule += 8)
    shared |= touch(granule, write);
  if (!shared && HEDDLE_UNLIKELY(--quantum_left == 0)) expire_quantum(pc);
  return shared;
}

void shadow_clear(uintptr_t address, size_t size) {
  if (size == 0 || !rt.memory_ready) return;
  uint8_t* begin = shadow_of(address);
  uint8_t* end = shadow_of(address + size - 1) + 1;
  const size_t length = static_cast<size_t>(end - begin);
  if (length < kLargeShadow) {
    fill_bytes(begin, kFresh, length);
    return;
  }
  const uintptr_t first_page = (reinterpret_cast<uintptr_t>(begin) + 4095) & ~uintptr_t{4095};
  const uintptr_t last_page = reinterpret_cast<uintptr_t>(end) & ~uintptr_t{4095};
  fill_bytes(begin, kFresh, first_page - reinterpret_cast<uintptr_t>(begin));
  sys_call(SYS_madvise, static_cast<long>(first_page), static_cast<long>(last_page - first_page),
           MADV_DONTNEED);
  fill_bytes(reinterpret_cast<void*>(last_page), kFresh, reinterpret_cast<uintptr_t>(end) - last_page);
}

void shadow_mark_shared(uintptr_t address, size_t size) {
  if (size == 0) return;
  uint8_t* begin = shadow_of(address);
  fill_bytes(begin, kShared, static_cast<size_t>(shadow_of(address + size - 1) + 1 - begin));
}

uint8_t owner_byte_for(uint32_t thread) {
  return thread + kFirstOwner <= kLastOwner ? static_cast<uint8_t>(thread + kFirstOwner) : kCrowd;
}

void set_current_owner(const Fiber* fiber) {
  if (record_everything())
    current_owner = read_shared = kNobody;
  else if (!rt.multithreaded)
    current_owner = kSingleThreaded;
  else
    current_owner = fiber->owner_byte == kCrowd ? kNobody : fiber->owner_byte;
}

}  // namespace heddle::rt
