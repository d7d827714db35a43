// EventRules: can these events have happened in this order?
//
// Text from elsewhere must obey all rules: threads begin once and do nothing after they were joined, a lock
// has one holder, and only the holder lets go of it. A trace that the runtime recorded is what a program did,
// misuse of locks included, so only the rules about threads hold there. Nobody holds more than
// kMostLocksHeld.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "trace/layout.h"
#include "trace/location_index.h"

namespace heddle::trace {

class EventRules {
 public:
  enum class Source { kText, kRecorded, kRecordedLate /* the beginning is missing */ };

  enum class Rule : uint8_t {
    kNone,
    kForkOfSelf,
    kForkTwice,
    kForkAfterRunning,
    kForkAfterJoin,
    kJoinOfSelf,
    kJoinOfUnknown,
    kAfterJoin,
    kLockHeld,
    kUnlockOfFree,
    kUnlockByStranger,
    kTooManyLocks,
  };

  // Who analyses a trace keeps the sets of locks that are held at a time, which takes the square of their
  // size.
  static constexpr uint32_t kMostLocksHeld = 2048;

  // A rule that an event breaks. `other` and `since`: who held the lock or forked or joined the thread, and
  // by which event.
  struct Violation {
    Rule rule = Rule::kNone;
    uint32_t thread = 0;  // that the rule is about
    uint32_t other = 0;
    uint64_t since = 0;

    explicit operator bool() const { return rule != Rule::kNone; }
  };

  explicit EventRules(Source source) : source_(source) {}

  // `number` is whatever the caller counts, lines or events.
  Violation add(const EventRecord& event, uint64_t number) {
    const bool is_access = event.kind == EventKind::kRead || event.kind == EventKind::kWrite;
    if (is_access && may_run(event.thread)) [[likely]]
      return {};
    return add_other(event, number);
  }
  bool may_run(uint32_t thread) const { return thread < threads_.size() && threads_[thread].state == kRuns; }

  // How often the thread holds this lock; only where locks are looked at.
  uint32_t depth(uint32_t thread, uint32_t object, uint64_t offset) const;

 private:
  enum State : uint8_t { kUnseen, kForked, kRuns, kJoined };
  struct Thread {
    State state = kUnseen;
    bool forked = false;
    uint32_t locks_held = 0;
    uint32_t other = 0;  // that forked or joined it
    uint64_t since = 0;
  };
  struct Lock {
    uint32_t holder = 0;
    uint32_t depth = 0;
    uint64_t since = 0;
  };

  Violation add_other(const EventRecord& event, uint64_t number);
  Violation apply(const EventRecord& event, uint64_t number);
  Thread& thread(uint32_t index);
  Violation begin(uint32_t index, uint64_t number);
  Violation fork(const EventRecord& event, uint64_t number);
  Violation join(const EventRecord& event, uint64_t number);
  Violation lock(const EventRecord& event, uint64_t number);
  Violation unlock(const EventRecord& event);
  Violation count_locks(const EventRecord& event);

  Source source_;
  std::vector<Thread> threads_;
  LocationIndex lock_numbers_;
  std::vector<Lock> locks_;
};

// A sentence such as "T2 releases L1, which T1 holds since line 12". `unit` is "line" or "event".
struct ViolationNames {
  std::function<std::string(uint32_t)> thread;
  std::function<std::string(const EventRecord&)> target;
  std::string unit;
};
std::string describe(const EventRules::Violation& violation, const EventRecord& event,
                     const ViolationNames& names);

}  // namespace heddle::trace
