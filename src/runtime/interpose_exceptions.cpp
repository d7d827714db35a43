// Exceptions that several threads hold: std::exception_ptr counts references inside the C++ library, where
// nobody sees it. Whoever lets go of one has done with it before the last one destroys it.
#include "runtime/sync.h"

using namespace heddle::rt;

namespace {

// As the C++ ABI and GNU's library lay them out.
struct CaughtExceptions {
  char* top;
  unsigned uncaught;
};
inline constexpr size_t kClassOffset = 80;  // of the exception's class in its header
inline constexpr size_t kHeaderSize = 112;
inline constexpr uint64_t kDependent =
    1;  // in the class's last byte: rethrown, its header names the first one

HEDDLE_REAL Real<CaughtExceptions*()> real_get_globals{"__cxa_get_globals"};

inline constexpr size_t kCountOffset = 128;  // of the number of references, before the exception

bool is_watched() {
  const bool recorded = recording() && (rt.request.flags & heddle::trace::request_flag::kRecordShared) != 0;
  return controlled() && (detecting() || recorded);
}

void let_go(uintptr_t exception, uintptr_t pc) {
  if (exception == 0 || !is_watched()) return;
  if (detecting()) order_atomic(exception, true, true, __ATOMIC_ACQ_REL);
  record_event({.kind = heddle::trace::EventKind::kAtomicUpdate,
                .pc = pc,
                .address = exception - kCountOffset,
                .size_or_peer = sizeof(int),
                .order = __ATOMIC_ACQ_REL});
}

uintptr_t caught_exception() {
  const CaughtExceptions* caught = real_get_globals.exists() ? real_get_globals() : nullptr;
  if (caught == nullptr || caught->top == nullptr) return 0;
  const bool dependent =
      (*reinterpret_cast<const uint64_t*>(caught->top + kClassOffset) & 0xff) == kDependent;
  return dependent ? *reinterpret_cast<const uintptr_t*>(caught->top) : address_of(caught->top + kHeaderSize);
}

}  // namespace

// std::__exception_ptr::exception_ptr::_M_release()
HEDDLE_EXPORT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** self) {
  static HEDDLE_REAL Real<void(void**)> real_release{"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"};
  let_go(address_of(*self), HEDDLE_PROGRAM_PC);
  real_release(self);
}

HEDDLE_EXPORT void __cxa_end_catch() {
  static HEDDLE_REAL Real<void()> real_end_catch{"__cxa_end_catch"};
  if (rt.multithreaded && is_watched()) let_go(caught_exception(), HEDDLE_PROGRAM_PC);
  real_end_catch();
}
