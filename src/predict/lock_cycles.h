// LockCycles: in which ways threads of a trace could wait for each other, as far as locks held say.
//
// Acquisitions that agree in thread, lock, locks held and focus are alike: a node. A node waits for another
// one if that holds its lock. Cycles of nodes, of different threads and without gates, are the patterns of
// deadlocks; whether their acquisitions can be reached at the same time is for others to find out.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/deadlock_prediction.h"
#include "predict/trace_model.h"

namespace heddle {

class LockCycles {
 public:
  struct Node {
    uint32_t thread = 0;
    uint32_t lock = 0;
    bool shared = false;
    uint32_t lockset = 0;
    bool in_focus = true;
    std::vector<EventIndex> events;  // in the order of the trace
  };
  using Cycle = std::vector<uint32_t>;  // numbers of nodes; each waits for the next

  LockCycles(const TraceModel& model, const DeadlockOptions& options);

  const std::vector<Node>& nodes() const { return nodes_; }
  // Those with a node in focus.
  const std::vector<Cycle>& cycles() const { return cycles_; }
  // The length of the first cycles that were not all found because of a limit; 0 if all were.
  uint32_t incomplete_from() const { return incomplete_from_; }

  // Whether an acquisition of `lock` waits while somebody holds `lockset`.
  static bool waits_for(const TraceModel& model, uint32_t lock, bool shared, uint32_t lockset);

 private:
  class Graph;
  void collect_nodes();
  void drop_ordered_nodes();
  std::vector<uint32_t> components() const;
  void find_cycles();

  const TraceModel& model_;
  const DeadlockOptions& options_;
  std::vector<Node> nodes_;
  std::vector<std::vector<uint32_t>> holders_;  // by lock: the nodes that hold it
  std::vector<Cycle> cycles_;
  uint32_t incomplete_from_ = 0;
};

// Whether an acquisition can wait for ever.
bool can_wait(const TraceModel& model, EventIndex acquisition);

}  // namespace heddle
