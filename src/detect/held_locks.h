// HeldLocks: which locks each thread holds, and since when.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detect/lock_sets.h"
#include "trace/layout.h"
#include "trace/location_index.h"

namespace heddle::detect {

class HeldLocks {
 public:
  struct Held {
    uint32_t lock = 0;  // its number, from 1
    bool reading = false;
    uint32_t object = 0;
    uint64_t offset = 0;
    uint64_t event = 0;
    uint32_t site = 0;
    uint32_t context = 0;
    trace::EventKind kind = trace::EventKind::kNone;
  };

  explicit HeldLocks(LockSets& sets) : sets_(sets) {}

  static bool concerns(trace::EventKind kind) {
    return kind >= trace::EventKind::kLock && kind <= trace::EventKind::kTryReadLock;
  }
  // An event of a kind that concerns locks. A program may let go of what it does not hold, and a trace that
  // begins late does: that changes nothing.
  void add(const trace::EventRecord& event, uint64_t number);

  // Whether the event takes a lock that its thread did not have: not a failed attempt, not an inner lock.
  static bool takes(const trace::EventRecord& event);

  LockSets::Set set(uint32_t thread) const {
    return thread < threads_.size() ? threads_[thread].set : LockSets::kEmpty;
  }
  std::span<const Held> held(uint32_t thread) const {
    return thread < threads_.size() ? std::span<const Held>(threads_[thread].held) : std::span<const Held>{};
  }
  uint32_t number(const trace::EventRecord& event) { return numbers_.number(event.object, event.offset) + 1; }
  uint64_t bytes() const { return threads_.capacity() * sizeof(Thread) + numbers_.size() * 32; }

 private:
  struct Thread {
    LockSets::Set set = LockSets::kEmpty;
    std::vector<Held> held;
  };

  LockSets& sets_;
  trace::LocationIndex numbers_;
  std::vector<Thread> threads_;
};

}  // namespace heddle::detect
