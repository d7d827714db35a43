// Atomic operations of 1 to 16 bytes, and fences.
//
// There is one kernel thread and interleavings are sequentially consistent, so the operation itself is
// executed as the strongest one; the order the program asked for goes into the trace.
#include "runtime/access.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

using Atomic128 = unsigned __int128;

template <typename T>
uint64_t spin_value(T value) {
  if constexpr (sizeof(T) == 16)
    return static_cast<uint64_t>(value) ^ static_cast<uint64_t>(value >> 64) * 31;
  else
    return static_cast<uint64_t>(value);
}

// The scheduling point of an atomic operation; true if the location is shared and the operation is recorded.
template <typename T>
bool atomic_point(const volatile T* address, EventKind kind, bool write, uintptr_t pc) {
  if (!atomic_is_point(address_of(address), sizeof(T), write, pc)) return false;
  simple_point(kind, address_of(address), pc, /*yields=*/false, sizeof(T));
  return true;
}

// One that is no scheduling point is recorded only if everything is.
template <typename T>
void atomic_record(const volatile T* address, EventKind kind, int order, uintptr_t pc, bool is_point,
                   uint16_t flags = 0) {
  if (!is_point && !record_everything()) return;
  record_event({.kind = kind,
                .pc = pc,
                .address = address_of(address),
                .size_or_peer = sizeof(T),
                .flags = static_cast<uint16_t>(is_point ? flags | flag::kPoint : flags),
                .order = static_cast<uint8_t>(order)});
}

// The 16-byte forms would otherwise call libatomic.
template <typename T>
bool exchange_if_equal(volatile T* address, T* expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    auto low = static_cast<uint64_t>(*expected);
    auto high = static_cast<uint64_t>(*expected >> 64);
    bool equal;
    asm volatile("lock cmpxchg16b %1"
                 : "=@ccz"(equal), "+m"(*address), "+a"(low), "+d"(high)
                 : "b"(static_cast<uint64_t>(desired)), "c"(static_cast<uint64_t>(desired >> 64))
                 : "memory");
    if (!equal) *expected = static_cast<Atomic128>(high) << 64 | low;
    return equal;
  } else {
    return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

template <typename T>
T read_now(const volatile T* address) {
  if constexpr (sizeof(T) == 16) {
    T value = 0;  // a compare-exchange that changes nothing would write to read-only memory; halves do here
    const auto* halves = reinterpret_cast<const volatile uint64_t*>(address);
    value = static_cast<Atomic128>(halves[1]) << 64 | halves[0];
    return value;
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}

template <typename T>
T load(const volatile T* address, int order, uintptr_t pc) {
  const bool shared = atomic_point(address, EventKind::kAtomicRead, false, pc);
  const T value = read_now(address);
  order_atomic(address_of(address), true, false, order);
  atomic_record(address, EventKind::kAtomicRead, order, pc, shared);
  if (shared) spin_note_read(address_of(address), sizeof(T), pc, spin_value(value));
  return value;
}

template <typename T>
void store(volatile T* address, T value, int order, uintptr_t pc) {
  const bool shared = atomic_point(address, EventKind::kAtomicWrite, true, pc);
  atomic_record(address, EventKind::kAtomicWrite, order, pc, shared);
  if (shared && read_now(address) != value) {
    spin_wake(address_of(address), sizeof(T));
    spin_note_progress();
  }
  T expected = read_now(address);
  while (!exchange_if_equal(address, &expected, value)) {
  }
  order_atomic(address_of(address), false, true, order);
}

// Read-modify-write: `change` computes the new value. One that changes nothing is a read to a spinning
// thread.
template <typename T, typename Change>
T update(volatile T* address, int order, uintptr_t pc, Change change) {
  const bool shared = atomic_point(address, EventKind::kAtomicUpdate, true, pc);
  T before = read_now(address);
  T after = change(before);
  while (!exchange_if_equal(address, &before, after)) after = change(before);
  order_atomic(address_of(address), true, true, order);
  atomic_record(address, EventKind::kAtomicUpdate, order, pc, shared);
  if (shared) {
    if (before != after) {
      spin_wake(address_of(address), sizeof(T));
      spin_note_progress();
    } else {
      spin_note_read(address_of(address), sizeof(T), pc, spin_value(before));
    }
  }
  return before;
}

template <typename T>
bool compare_exchange(volatile T* address, T* expected, T desired, int order, int failure_order,
                      uintptr_t pc) {
  const bool shared = atomic_point(address, EventKind::kAtomicUpdate, true, pc);
  const T wanted = *expected;
  const bool equal = exchange_if_equal(address, expected, desired);
  order_atomic(address_of(address), true, equal, equal ? order : failure_order);
  atomic_record(address, EventKind::kAtomicUpdate, equal ? order : failure_order, pc, shared,
                equal ? flag::kCompare : flag::kCompare | flag::kFailed);
  if (shared) {
    if (equal && wanted != desired) {
      spin_wake(address_of(address), sizeof(T));
      spin_note_progress();
    } else {
      spin_note_read(address_of(address), sizeof(T), pc, spin_value(*expected));
    }
  }
  return equal;
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

#define HEDDLE_ATOMICS(bits, T)                                                                              \
  HEDDLE_EXPORT T __tsan_atomic##bits##_load(const volatile T* a, int mo) {                                  \
    return load(a, mo, HEDDLE_CALLER_PC);                                                                    \
  }                                                                                                          \
  HEDDLE_EXPORT void __tsan_atomic##bits##_store(volatile T* a, T v, int mo) {                               \
    store(a, v, mo, HEDDLE_CALLER_PC);                                                                       \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_exchange(volatile T* a, T v, int mo) {                               \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T) { return v; });                                            \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_add(volatile T* a, T v, int mo) {                              \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(x + v); });                      \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_sub(volatile T* a, T v, int mo) {                              \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(x - v); });                      \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_and(volatile T* a, T v, int mo) {                              \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(x & v); });                      \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_or(volatile T* a, T v, int mo) {                               \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(x | v); });                      \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_xor(volatile T* a, T v, int mo) {                              \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(x ^ v); });                      \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_fetch_nand(volatile T* a, T v, int mo) {                             \
    return update(a, mo, HEDDLE_CALLER_PC, [v](T x) { return static_cast<T>(~(x & v)); });                   \
  }                                                                                                          \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int mo,          \
                                                                  int fmo) {                                 \
    return compare_exchange(a, c, v, mo, fmo, HEDDLE_CALLER_PC);                                             \
  }                                                                                                          \
  HEDDLE_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int mo, int fmo) { \
    return compare_exchange(a, c, v, mo, fmo, HEDDLE_CALLER_PC);                                             \
  }                                                                                                          \
  HEDDLE_EXPORT T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int mo, int fmo) {     \
    compare_exchange(a, &c, v, mo, fmo, HEDDLE_CALLER_PC);                                                   \
    return c;                                                                                                \
  }
HEDDLE_ATOMICS(8, uint8_t)
HEDDLE_ATOMICS(16, uint16_t)
HEDDLE_ATOMICS(32, uint32_t)
HEDDLE_ATOMICS(64, uint64_t)
HEDDLE_ATOMICS(128, Atomic128)
#undef HEDDLE_ATOMICS

HEDDLE_EXPORT void __tsan_atomic_thread_fence(int order) {
  if (controlled()) {
    const uintptr_t pc = HEDDLE_CALLER_PC;
    // What orders a thread that is left alone after those that are gone is recorded, too.
    const bool is_point = rt.live_count > 1;
    if (is_point) simple_point(EventKind::kFence, 0, pc);
    record_event({.kind = EventKind::kFence,
                  .pc = pc,
                  .flags = is_point ? flag::kPoint : uint16_t{0},
                  .order = static_cast<uint8_t>(order)});
    order_fence(order);
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HEDDLE_EXPORT void __tsan_atomic_signal_fence(int) {}
