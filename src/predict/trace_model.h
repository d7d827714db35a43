// TraceModel: what the events of a trace need of each other, whatever the order in which they are executed.
//
// Predictions reason about other orders of the same events. An event can take part in one only if what
// decided its outcome takes part as well: the writes that a read has seen, the fork of its thread, the notify
// that woke it. The model has these *needs*, next to program order, and the critical sections of each lock,
// whose order is not fixed: of two sections of one lock either can come first, but the first must be over
// before the other begins. A set of events that is closed under program order, needs and that rule (see
// ideal.h), executed in the order of the trace, is an execution in which every event does what it did in the
// trace.
//
// What needs what:
//   reads, updates, futex waits   the last write to each byte
//   first event of a thread       its fork                    join      the last event of the thread
//   wake-up, futex awake          the notify or wake          notify    all waits and notifies before it,
//   since
//                                                                       they decide whom it wakes
//   semaphore: taking             all posts before            failing   all takings before
//   failed try-lock, timed-out lock   the acquisition that was in its way
//   barrier: leaving              all arrivals before         signal    all sends before
//   once, descriptors             whatever was done to the object before
//   initialisation, destruction   whatever was done to the object before; and whatever comes after needs it
//   accesses to the heap          the allocation
//   release by another thread     the acquisition
//   beginning and end of a wait   the release or acquisition of the mutex that is a part of it
// Orders among these objects are kept as they were, which is more than necessary: predictions are missed that
// rest on, say, another order of two semaphore operations, but none is invented.
//
// Inner acquisitions of a recursive lock, and of a read lock that the thread holds already, are nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace heddle {

using EventIndex = uint32_t;  // into Trace::events
inline constexpr EventIndex kNoEvent = std::numeric_limits<uint32_t>::max();
inline constexpr uint32_t kNoLock = std::numeric_limits<uint32_t>::max();

enum class EventClass : uint8_t {
  kOther,
  kRead,
  kWrite,   // also the freeing of memory: a write to all of the object
  kUpdate,  // reads and writes at once
  kAcquire,
  kRelease,
  kSharedAcquire,
  kSharedRelease,
};

// A lock that a thread holds.
struct HeldLock {
  uint32_t lock = 0;
  bool shared = false;
  EventIndex acquire = kNoEvent;

  bool excludes(const HeldLock& other) const { return lock == other.lock && !(shared && other.shared); }
};

// Something that an event needs: a prefix of a thread, or the lock that it acquires. What `a` and `b` are
// depends on which of the two it is, as the functions say.
struct Link {
  uint32_t number = 0;      // of the event in its thread
  uint32_t lock = kNoLock;  // kNoLock: a need
  uint32_t a = 0;
  uint32_t b = 0;
  // Of a lock: whether it is taken for reading, and of the release, which thread and number it has there. To
  // look that up takes a cache miss for each.
  uint32_t is_shared : 1 = 0;
  uint32_t release_thread : 31 = 0;
  uint32_t release_number = 0;

  bool is_need() const { return lock == kNoLock; }
  uint32_t needed_thread() const { return a; }
  uint32_t needed_count() const { return b; }  // of its events
  EventIndex acquire() const { return a; }
  EventIndex release() const { return b; }  // kNoEvent: the section does not end
};

class TraceModel {
 public:
  explicit TraceModel(trace::Trace trace);

  const trace::Trace& trace() const { return trace_; }
  uint32_t size() const { return static_cast<uint32_t>(threads_.size()); }
  uint32_t thread_count() const { return static_cast<uint32_t>(by_thread_.size()); }
  uint32_t lock_count() const { return static_cast<uint32_t>(locks_.size()); }
  uint32_t location_count() const { return static_cast<uint32_t>(contended_.size()); }

  uint32_t thread_of(EventIndex event) const { return threads_[event]; }
  // Its position in its thread, from 0: as many events of the thread come before it.
  uint32_t number_of(EventIndex event) const { return numbers_[event]; }
  std::span<const EventIndex> events_of(uint32_t thread) const { return by_thread_[thread].events; }
  // The event that created a thread; kNoEvent if the trace does not have it.
  EventIndex fork_of(uint32_t thread) const { return by_thread_[thread].fork; }
  // The allocation of the memory that an access touches; kNoEvent if the trace does not have it.
  EventIndex allocation_of(EventIndex event) const { return allocations_[trace_.events()[event].object]; }
  // Whether an event is executed together with the one before it in its thread: the release of the mutex with
  // the beginning of a wait, its acquisition with the end, and leaving a barrier with arriving there last.
  bool continues(EventIndex event) const;
  uint32_t site_of(EventIndex event) const { return trace_.events()[event].site; }

  // Memory. A location is eight bytes, of which an access touches those in a mask; a long access touches
  // several locations.
  EventClass class_of(EventIndex event) const { return classes_[event]; }
  bool is_access(EventIndex event) const {
    return classes_[event] >= EventClass::kRead && classes_[event] <= EventClass::kUpdate;
  }
  bool reads(EventIndex event) const {
    return classes_[event] == EventClass::kRead || classes_[event] == EventClass::kUpdate;
  }
  bool writes(EventIndex event) const {
    return classes_[event] == EventClass::kWrite || classes_[event] == EventClass::kUpdate;
  }
  bool is_atomic(EventIndex event) const;
  struct Part {
    uint32_t location = 0;
    uint8_t bytes = 0;
  };
  std::span<const Part> parts_of(EventIndex event) const {
    const Part& own = parts_[event];
    if (!is_access(event)) return {};
    if (own.bytes != 0 || own.location == 0) return {&own, own.bytes != 0 ? size_t{1} : size_t{0}};
    const Span& span = spans_[own.location - 1];
    return std::span(span_parts_).subspan(span.begin, span.count);
  }
  // Whether several threads use a location, and at least one writes it.
  bool is_contended(uint32_t location) const { return contended_[location]; }
  // Whether they touch a common byte, at least one writes, and they are not both atomic; whatever the
  // threads.
  bool conflict(EventIndex a, EventIndex b) const;

  // Locks.
  bool is_acquire(EventIndex event) const {
    return classes_[event] == EventClass::kAcquire || classes_[event] == EventClass::kSharedAcquire;
  }
  bool is_release(EventIndex event) const {
    return classes_[event] == EventClass::kRelease || classes_[event] == EventClass::kSharedRelease;
  }
  bool is_shared_lock(uint32_t lock) const { return locks_[lock].has_readers; }
  // Of an acquisition or release.
  uint32_t lock_of(EventIndex event) const { return parts_[event].location; }
  // The end of the critical section that an acquisition begins; kNoEvent if it does not end.
  EventIndex release_of(EventIndex acquire) const;
  // What the thread of an event holds when it comes to the event. Equal sets of a thread at different times
  // differ in the acquisitions only; lockset() numbers sets without these.
  std::vector<HeldLock> held_at(EventIndex event) const;
  uint32_t lockset_at(EventIndex event) const;
  // Sorted by lock; `acquire` is not filled in. Number 0 is the empty set.
  std::span<const HeldLock> lockset(uint32_t number) const { return locksets_[number]; }
  // Whether two threads can never hold these at the same time.
  bool locksets_exclude(uint32_t a, uint32_t b) const;

  // What ideal.h and its users follow: all links of a thread, in its order.
  std::span<const Link> links_of(uint32_t thread) const { return by_thread_[thread].links; }
  // The events of other threads that an event needs, directly. What its thread has needed before may be left
  // out.
  std::vector<EventIndex> needs_of(EventIndex event) const;
  // Whether an event of another thread needs this one (or a later one up to the next that is needed).
  bool is_needed(EventIndex event) const { return needed_[event]; }

  // Acquisitions of one lock by one thread: positions in links_of(thread), ascending.
  struct Acquisitions {
    uint32_t thread = 0;
    std::vector<uint32_t> links;
    bool shared_any = false;
  };
  std::span<const Acquisitions> acquisitions_of(uint32_t lock) const { return locks_[lock].by_thread; }

  // Where the lockset of a thread changes: (number of the first event that has it, lockset).
  struct LocksetChange {
    uint32_t number = 0;
    uint32_t lockset = 0;
  };
  std::span<const LocksetChange> lockset_changes(uint32_t thread) const {
    return by_thread_[thread].locksets;
  }

  uint64_t memory_bytes() const;

 private:
  friend class TraceModelBuilder;

  struct PerThread {
    EventIndex fork = kNoEvent;
    std::vector<EventIndex> events;
    std::vector<Link> links;
    std::vector<LocksetChange> locksets;
  };
  struct Lock {
    std::vector<Acquisitions> by_thread;
    bool has_readers = false;
  };
  struct Span {
    uint32_t begin = 0;
    uint32_t count = 0;
  };

  const Link* link_of_acquire(EventIndex acquire) const;

  trace::Trace trace_;
  std::vector<uint32_t> threads_;
  std::vector<uint32_t> numbers_;
  std::vector<EventClass> classes_;
  std::vector<bool> needed_;
  // Accesses: the location and bytes, or 1 + the number of a span if bytes is 0. Lock operations: the lock.
  std::vector<Part> parts_;
  std::vector<Span> spans_;
  std::vector<Part> span_parts_;
  std::vector<PerThread> by_thread_;
  std::vector<EventIndex> allocations_;  // by object
  std::vector<Lock> locks_;
  std::vector<std::vector<HeldLock>> locksets_;
  std::vector<bool> contended_;  // by location
};

}  // namespace heddle
