// Targets: where the search should come to next, and how far that is.
//
// kGraph: the successors, in the change sequence graph, of the node that a path came through last. kIsolated:
// always the same, a flat set. kUndirected: nowhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "interact/distance.h"
#include "interact/program_graph.h"
#include "interact/search/directed_search.h"

namespace heddle::interact {

// The changed statements that decide nothing over others: deepest in the chain of control dependence.
std::vector<StatementIndex> deepest_changes(const Flow& flow, const std::vector<StatementIndex>& changes);

class Targets {
 public:
  // Both must outlive it.
  Targets(const Flow& flow, const ChangeGraph& graph, Guide guide);

  // An execution came through these nodes, in this order; whether anything is reached for the first time.
  // `repeated` came right after themselves.
  bool reach(const std::vector<uint32_t>& nodes, const std::set<uint32_t>& repeated = {});

  // How dear it is to come from one of the points to a target, after the node (kNone: after none); at
  // least 1. Grows with the square of the distance; targets that were reached before are dearer.
  uint64_t cost(uint32_t node, const std::vector<PointIndex>& from);

  uint64_t reached_edges() const { return edges_.size(); }

 private:
  std::vector<uint32_t> targets_after(uint32_t node) const;
  uint64_t cost_of(uint32_t target, bool is_reached, const std::vector<PointIndex>& from);
  void reach_edge(uint32_t from, uint32_t to);

  const ChangeGraph& graph_;
  const Guide guide_;
  const DistanceFinder finder_;
  std::vector<std::unique_ptr<Distances>> distances_;         // by node
  std::vector<uint32_t> flat_;                                // kIsolated
  std::vector<bool> reached_;                                 // by node
  std::vector<bool> starts_reached_;                          // by node: came to first
  std::set<std::pair<uint32_t, uint32_t>> edges_;             // reached
  std::vector<std::vector<std::pair<uint32_t, bool>>> from_;  // by node: its edges, and if they are by
                                                              // dependence
};

}  // namespace heddle::interact
