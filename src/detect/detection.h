// What detectors find. Everything a report needs is in here: the stream has gone by.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/layout.h"

namespace heddle::detect {

// One operation of a finding.
struct Side {
  uint64_t event = 0;  // its number in the stream
  uint32_t thread = 0;
  uint32_t site = 0;
  uint32_t context = 0;
  trace::EventKind kind = trace::EventKind::kNone;
  uint32_t size = 0;
  uint64_t offset = 0;  // within the finding's object
};

// Two operations on the same memory. Pairs of the same two sites and kinds, at the same variable (see
// trace/variable_key.h) and in the same calling contexts, are listed once, with the first example and how
// often there was one.
struct PairFinding {
  Side first;  // came before the second
  Side second;
  uint32_t object = 0;
  uint64_t count = 1;
  // Of happens-before races: whether reads-from does not order them either. Then some schedule of these very
  // events executes them side by side; otherwise only one in which an earlier race went the other way.
  bool certain = true;

  bool has_free() const {
    return first.kind == trace::EventKind::kFree || second.kind == trace::EventKind::kFree;
  }
};

// Threads that can wait for each other in a ring: each holds a lock that the one before wants.
struct LockOrderCycle {
  struct Edge {
    uint32_t thread = 0;
    Side held;  // where it acquired the lock that it holds …
    uint32_t held_object = 0;
    Side wanted;  // … when it acquires this one
    uint32_t wanted_object = 0;
  };
  std::vector<Edge> edges;  // edges[i].wanted is the lock of edges[i + 1].held
  uint64_t count = 1;       // of cycles with the same sites
};

struct Detections {
  std::vector<PairFinding> races;            // not ordered by happens-before; accesses, or access and free
  std::vector<PairFinding> uses_after_free;  // ordered after the free, so they are certain
  std::vector<PairFinding> lock_set;         // no lock protected all accesses (Eraser)
  std::vector<PairFinding> potential_races;  // hybrid: input to verification
  std::vector<LockOrderCycle> cycles;

  uint64_t events = 0;
  uint64_t bytes = 0;           // that the detectors held at the end
  uint64_t left_out = 0;        // findings beyond the number that is kept
  bool cycles_complete = true;  // false: the search for cycles was cut off

  uint64_t findings() const {
    return races.size() + uses_after_free.size() + lock_set.size() + potential_races.size() + cycles.size();
  }
};

}  // namespace heddle::detect
