// Dependence: whether the order of two operations of different threads on the same location can matter.
//
// Operations that are not dependent commute: in the other order they lead to the same state. This relation is
// all that partial-order reduction knows of a program. The search (explore/) and the runtime, which keeps
// sleep sets, must agree on it, so it is here once. It must never miss a pair; each pair too many costs
// executions.
#pragma once

#include "trace/layout.h"

namespace heddle::trace {

// How operations behave towards others on the same location.
enum class OperationClass : uint8_t {
  kNone,  // order never matters: fences (executions are sequentially consistent), forks, sleeps, …
  kRead,
  kWrite,
  kLock,      // exclusive locks and unlocks, and try-locks that succeeded
  kReadLock,  // shared locks and unlocks
  kLockTest,  // attempts at a lock or semaphore that failed or timed out: they only look
  kWait,      // joins the waiters of a condition or futex, or leaves them
  kNotify,
  kTake,  // from a semaphore
  kPost,
  kEverything,  // the end of the process
  kOther,       // matters to every other operation on the same object
};

constexpr OperationClass class_of(EventKind kind, uint16_t flags) {
  const bool failed = (flags & event_flag::kFailed) != 0;
  if ((flags & event_flag::kRecursive) != 0) return OperationClass::kNone;  // the owner's own business
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kAtomicRead:
      return OperationClass::kRead;
    case EventKind::kAtomicUpdate:
      return failed ? OperationClass::kRead : OperationClass::kWrite;
    case EventKind::kWrite:
    case EventKind::kAtomicWrite:
    case EventKind::kFree:
      return OperationClass::kWrite;
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
      return failed ? OperationClass::kLockTest : OperationClass::kLock;
    case EventKind::kReadLock:
    case EventKind::kReadUnlock:
    case EventKind::kTryReadLock:
      return failed ? OperationClass::kLockTest : OperationClass::kReadLock;
    case EventKind::kCondWait:
    case EventKind::kCondWake:
    case EventKind::kFutexWait:
    case EventKind::kFutexAwake:
      return OperationClass::kWait;
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
    case EventKind::kFutexWake:
      return OperationClass::kNotify;
    case EventKind::kSemWait:
    case EventKind::kSemTryWait:
      return failed ? OperationClass::kLockTest : OperationClass::kTake;
    case EventKind::kSemPost:
      return OperationClass::kPost;
    // Who comes to a barrier last goes on at once; in which order the others leave does not matter.
    case EventKind::kBarrierArrive:
    case EventKind::kOnceBegin:
    case EventKind::kOnceEnd:
      return OperationClass::kWrite;
    case EventKind::kBarrierLeave:
    case EventKind::kOncePassed:
      return OperationClass::kRead;
    case EventKind::kSyncInit:
    case EventKind::kSyncDestroy:
    case EventKind::kAccess:
    case EventKind::kSignalSend:
    case EventKind::kSignal:
    case EventKind::kJoin:
    case EventKind::kThreadEnd:
      return OperationClass::kOther;
    case EventKind::kExit:
      return OperationClass::kEverything;
    default:
      return OperationClass::kNone;
  }
}

// Whether it touches as many bytes as its event says; locks and the like are one thing.
constexpr bool has_extent(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kFree:
      return true;
    default:
      return false;
  }
}

// Of operations on overlapping locations.
constexpr bool classes_depend(OperationClass a, OperationClass b) {
  using enum OperationClass;
  if (a == kEverything || b == kEverything) return true;
  if (a == kNone || b == kNone) return false;
  if (a == b) return a == kWrite || a == kLock || a == kNotify || a == kTake || a == kOther;
  // A futex operation also looks at the word itself.
  if (a == kRead || b == kRead) return a == kWrite || b == kWrite || a == kOther || b == kOther;
  return true;
}

}  // namespace heddle::trace
