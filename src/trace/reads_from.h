// Which operations read what others have left behind.
//
// An operation reads from the last one before it that wrote to its location. Synchronisation takes part:
// taking a lock reads from whoever took it before and leaves something for the next one, and likewise for
// conditions, semaphores and the rest, because it is their order that decides what the program sees under a
// lock. Letting go of a lock decides nothing.
#pragma once

#include "trace/dependence.h"

namespace heddle::trace {

constexpr bool takes_part_in_reads_from(EventKind kind) {
  switch (kind) {
    case EventKind::kUnlock:
    case EventKind::kReadUnlock:
    case EventKind::kSyncInit:
    case EventKind::kJoin:
    case EventKind::kThreadEnd:
    case EventKind::kSignalSend:
    case EventKind::kSignal:
      return false;
    default:
      break;
  }
  const OperationClass how = class_of(kind, 0);
  return how != OperationClass::kNone && how != OperationClass::kEverything;
}

constexpr bool can_read_from(EventKind kind) {
  switch (kind) {
    case EventKind::kWrite:
    case EventKind::kAtomicWrite:
    case EventKind::kFree:
    case EventKind::kSyncDestroy:
      return false;
    default:
      return takes_part_in_reads_from(kind);
  }
}

constexpr bool can_be_read_from(EventKind kind, uint16_t flags = 0) {
  const OperationClass how = class_of(kind, flags);
  return takes_part_in_reads_from(kind) && how != OperationClass::kRead && how != OperationClass::kLockTest &&
         how != OperationClass::kNone;
}

}  // namespace heddle::trace
