// HeldLocks: which locks a thread held at an event, as far as the trace goes back.
//
// The trace is read once, when first asked. What a thread holds is a list that shares its tail with the list
// before: a thread that takes and releases locks in order adds one node for each it takes.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// A lock that a thread held at an event.
struct LockAtEvent {
  uint32_t object = 0;
  uint64_t offset = 0;
  bool exclusive = true;
  uint64_t event = 0;  // with which it was taken

  bool operator==(const LockAtEvent&) const = default;
};

class HeldLocks {
 public:
  explicit HeldLocks(const trace::Trace& trace) : trace_(trace) {}

  // By the thread of the event before it, the one taken first in front. `event` is an index into the events.
  std::vector<LockAtEvent> at(uint64_t event);

 private:
  static constexpr uint32_t kNothing = 0;
  struct Node {
    LockAtEvent lock;
    uint32_t below = kNothing;  // taken before
  };
  struct Change {
    uint64_t event = 0;
    uint32_t held = kNothing;  // from this event on
  };

  void read();
  uint32_t put(const LockAtEvent& lock, uint32_t below);
  uint32_t without(uint32_t held, const trace::EventRecord& unlock);

  const trace::Trace& trace_;
  bool is_read_ = false;
  std::vector<Node> nodes_ = {{}};
  std::vector<std::vector<Change>> changes_;  // by thread
};

}  // namespace heddle
