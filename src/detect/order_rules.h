// Which operations order threads: the happens-before relation of C++, said once.
//
// Operations acquire from and release to *channels*: a lock, a semaphore, an atomic location. The rules are
// the same whether events come from a trace or happen right now; only the clocks live elsewhere. Compiled
// into the runtime as well.
//
// Memory orders count. A relaxed load acquires only when an acquire fence follows, a relaxed store passes on
// only what the thread knew at its last release fence, and an update continues what earlier ones have
// released to the location, while a store begins anew.
#pragma once

#include "trace/layout.h"

namespace heddle::detect {

constexpr bool acquires(trace::MemoryOrder order) {
  using enum trace::MemoryOrder;
  return order == kConsume || order == kAcquire || order == kAcqRel || order == kSeqCst;
}
constexpr bool releases(trace::MemoryOrder order) {
  using enum trace::MemoryOrder;
  return order == kRelease || order == kAcqRel || order == kSeqCst;
}

// What the running thread does to `location` by an atomic operation. `Clocks` provides
//   acquire(channel)              the thread learns what was released to it
//   acquire_at_fence(channel)     the same, when it comes to an acquire fence
//   release(channel, anew)        passes on all that the thread knows; `anew`: and nothing else
//   release_fenced(channel, anew) passes on what it knew at its last release fence
//   acquire_fence(), release_fence()
template <typename Clocks, typename Channel>
void order_atomic(Clocks& clocks, Channel location, bool reads, bool writes, trace::MemoryOrder order) {
  if (reads) {
    if (acquires(order))
      clocks.acquire(location);
    else
      clocks.acquire_at_fence(location);
  }
  if (writes) {
    if (releases(order))
      clocks.release(location, /*anew=*/!reads);
    else
      clocks.release_fenced(location, /*anew=*/!reads);
  }
}

template <typename Clocks>
void order_fence(Clocks& clocks, trace::MemoryOrder order) {
  if (acquires(order)) clocks.acquire_fence();
  if (releases(order)) clocks.release_fence();
}

// Any other operation on a synchronisation object, but those that concern threads directly (fork, join, a
// wait that somebody ended: also at a barrier, where the last to arrive lets the others go). In addition
// `Clocks` provides
//   acquire_readers(lock), release_readers(lock)   what readers pass on to the next writer
//   forget(object)
template <typename Clocks, typename Channel>
void order_sync(Clocks& clocks, trace::EventKind kind, uint16_t flags, Channel object) {
  using enum trace::EventKind;
  namespace flag = trace::event_flag;
  // An initialiser that fails passes on what it did, to the one that tries next.
  const bool fails = (flags & flag::kFailed) != 0 && kind != kOnceEnd;
  if (fails || (flags & (flag::kTimedOut | flag::kRecursive)) != 0) return;
  switch (kind) {
    case kLock:
    case kTryLock:
      clocks.acquire(object);
      clocks.acquire_readers(object);
      break;
    case kReadLock:
    case kTryReadLock:
    case kSemWait:
    case kSemTryWait:
    case kOnceBegin:
    case kOncePassed:
      clocks.acquire(object);
      break;
    case kUnlock:
    case kSemPost:
    case kOnceEnd:
      clocks.release(object, /*anew=*/false);
      break;
    case kReadUnlock:
      clocks.release_readers(object);
      break;
    case kAccess:         // whatever goes through a pipe, a socket or a file
    case kBarrierArrive:  // the last to arrive knows all, and passes it on when it lets them go
      clocks.acquire(object);
      clocks.release(object, /*anew=*/false);
      break;
    case kSyncDestroy:
      clocks.forget(object);
      break;
    default:
      break;
  }
}

}  // namespace heddle::detect
