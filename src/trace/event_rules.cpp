#include "trace/event_rules.h"

#include <fmt/format.h>

namespace heddle::trace {

EventRules::Thread& EventRules::thread(uint32_t index) {
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

EventRules::Violation EventRules::add_other(const EventRecord& event, uint64_t number) {
  const Thread before = thread(event.thread);
  if (!may_run(event.thread)) {
    if (const Violation violation = begin(event.thread, number)) return violation;
  }
  const Violation violation = apply(event, number);
  // An event that cannot be was not the first one of its thread either.
  if (violation) threads_[event.thread] = before;
  return violation;
}

EventRules::Violation EventRules::apply(const EventRecord& event, uint64_t number) {
  if ((event.flags & (event_flag::kFailed | event_flag::kTimedOut)) != 0) return {};
  if (const Violation violation = count_locks(event)) return violation;
  switch (event.kind) {
    case EventKind::kFork:
      return fork(event, number);
    case EventKind::kJoin:
      return join(event, number);
    case EventKind::kLock:
      return source_ == Source::kText ? lock(event, number) : Violation{};
    case EventKind::kUnlock:
      return source_ == Source::kText ? unlock(event) : Violation{};
    default:
      return {};
  }
}

// The first event of a thread, or one after its end. A thread that nobody forked is one of several roots.
EventRules::Violation EventRules::begin(uint32_t index, uint64_t number) {
  Thread& self = thread(index);
  if (self.state == kJoined) return {Rule::kAfterJoin, index, self.other, self.since};
  if (self.state == kUnseen) self.since = number;
  self.state = kRuns;
  return {};
}

EventRules::Violation EventRules::fork(const EventRecord& event, uint64_t number) {
  if (event.peer == event.thread) return {Rule::kForkOfSelf, event.peer};
  Thread& child = thread(event.peer);
  if (child.state == kUnseen) {
    child = {.state = kForked, .forked = true, .other = event.thread, .since = number};
    return {};
  }
  if (source_ == Source::kRecordedLate) return {};
  const Rule rule = child.state == kJoined ? Rule::kForkAfterJoin
                    : child.forked         ? Rule::kForkTwice
                                           : Rule::kForkAfterRunning;
  return {rule, event.peer, child.other, child.since};
}

// Several threads may wait for the end of one.
EventRules::Violation EventRules::join(const EventRecord& event, uint64_t number) {
  if (event.peer == event.thread) return {Rule::kJoinOfSelf, event.peer};
  Thread& child = thread(event.peer);
  if (child.state == kUnseen && source_ == Source::kText) return {Rule::kJoinOfUnknown, event.peer};
  if (child.state != kJoined)
    child = {.state = kJoined, .forked = child.forked, .other = event.thread, .since = number};
  return {};
}

uint32_t EventRules::depth(uint32_t thread, uint32_t object, uint64_t offset) const {
  const uint32_t number = lock_numbers_.find(object, offset);
  if (number == LocationIndex::kNone || locks_[number].holder != thread) return 0;
  return locks_[number].depth;
}

EventRules::Violation EventRules::lock(const EventRecord& event, uint64_t number) {
  const uint32_t index = lock_numbers_.number(event.object, event.offset);
  if (index >= locks_.size()) locks_.resize(index + 1);
  Lock& lock = locks_[index];
  if (lock.depth == 0) {
    lock = {event.thread, 1, number};
    return {};
  }
  if (lock.holder != event.thread) return {Rule::kLockHeld, event.thread, lock.holder, lock.since};
  lock.depth++;
  return {};
}

EventRules::Violation EventRules::unlock(const EventRecord& event) {
  const uint32_t index = lock_numbers_.find(event.object, event.offset);
  if (index == LocationIndex::kNone || locks_[index].depth == 0) return {Rule::kUnlockOfFree, event.thread};
  Lock& lock = locks_[index];
  if (lock.holder != event.thread) return {Rule::kUnlockByStranger, event.thread, lock.holder, lock.since};
  lock.depth--;
  return {};
}

// Whether it is one lock several times does not matter here.
EventRules::Violation EventRules::count_locks(const EventRecord& event) {
  uint32_t& held = threads_[event.thread].locks_held;
  switch (event.kind) {
    case EventKind::kLock:
    case EventKind::kTryLock:
    case EventKind::kReadLock:
    case EventKind::kTryReadLock:
      if ((event.flags & event_flag::kRecursive) == 0 && ++held > kMostLocksHeld)
        return {Rule::kTooManyLocks, event.thread};
      break;
    case EventKind::kUnlock:
    case EventKind::kReadUnlock:
      if ((event.flags & event_flag::kRecursive) == 0 && held > 0) --held;
      break;
    default:
      break;
  }
  return {};
}

std::string describe(const EventRules::Violation& violation, const EventRecord& event,
                     const ViolationNames& names) {
  using enum EventRules::Rule;
  const std::string thread = names.thread(violation.thread);
  const std::string other = names.thread(violation.other);
  const std::string since = fmt::format("{} {}", names.unit, violation.since);
  switch (violation.rule) {
    case kForkOfSelf:
      return fmt::format("{} forks itself", thread);
    case kForkTwice:
      return fmt::format("{} is forked again: {} forked it at {}", thread, other, since);
    case kForkAfterRunning:
      return fmt::format("{} is forked, but it has been running since {}", thread, since);
    case kForkAfterJoin:
      return fmt::format("{} is forked, but {} joined it at {}", thread, other, since);
    case kJoinOfSelf:
      return fmt::format("{} joins itself", thread);
    case kJoinOfUnknown:
      return fmt::format("{} is joined, but no such thread has run or been forked", thread);
    case kAfterJoin:
      return fmt::format("{} goes on after {} joined it at {}", thread, other, since);
    case kLockHeld:
      return fmt::format("{} acquires {}, which {} holds since {}", thread, names.target(event), other,
                         since);
    case kUnlockOfFree:
      return fmt::format("{} releases {}, which nobody holds", thread, names.target(event));
    case kUnlockByStranger:
      return fmt::format("{} releases {}, which {} holds since {}", thread, names.target(event), other,
                         since);
    case kTooManyLocks:
      return fmt::format("{} holds more than {} locks", thread, EventRules::kMostLocksHeld);
    case kNone:
      break;
  }
  return "nothing is wrong";
}

}  // namespace heddle::trace
