// Concurrency context: how other threads can come between what a thread does (RECONTEST, section II).
//
// Of an event: the locks its thread holds, each with the number of the critical section (so whether a lock
// was released between two events can be told), and what orders it with other threads so far. Contexts of
// consecutive events are mostly the same, so that there are few more of them than there are operations on
// locks and messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/layout.h"

namespace heddle {

struct HeldSection {
  uint64_t lock = 0;     // its name in both versions
  uint32_t section = 0;  // numbered over the whole trace
  bool is_shared = false;
};

struct ConcurrencyContext {
  uint32_t first_held = 0;  // in ContextTracker::held
  uint32_t held = 0;        // sorted by lock
  uint64_t order = 0;       // equal if the same messages were sent and received by the thread so far
};

class ContextTracker {
 public:
  explicit ContextTracker(size_t threads = 0) : threads_(threads) {}

  // Before the next event of the thread; an index that stays valid.
  uint32_t context_of(uint32_t thread);
  const ConcurrencyContext& operator[](uint32_t context) const { return contexts_[context]; }
  std::span<const HeldSection> held(uint32_t context) const {
    return std::span(held_).subspan(contexts_[context].first_held, contexts_[context].held);
  }
  size_t sections() const { return sections_; }

  void acquire(uint32_t thread, uint64_t lock, bool is_shared);
  void release(uint32_t thread, uint64_t lock);
  void add_message(uint32_t thread, uint64_t message) {
    threads_[thread].order += message;
    threads_[thread].is_stored = false;
  }

 private:
  struct Thread {
    std::vector<HeldSection> held;  // in the order of acquisition
    uint64_t order = 0;
    uint32_t context = 0;
    bool is_stored = false;
  };

  std::vector<Thread> threads_;
  std::vector<ConcurrencyContext> contexts_;
  std::vector<HeldSection> held_;
  uint32_t sections_ = 0;
};

}  // namespace heddle
