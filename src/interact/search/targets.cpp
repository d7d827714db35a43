#include "interact/search/targets.h"

#include <algorithm>

namespace heddle::interact {
namespace {

// Going somewhere again is worth as much as going four times as far for the first time.
constexpr uint64_t kReachedFactor = 16;
// As far as if there were a way of this length: the flow may not know it.
constexpr uint64_t kNoWay = 1000;
constexpr uint64_t kFarthest = 500;

uint64_t cost_of_distance(uint64_t distance) {
  return (distance + 1) * (distance + 1);
}

}  // namespace

Targets::Targets(const Flow& flow, const ChangeGraph& graph, Guide guide)
    : graph_(graph),
      guide_(guide),
      finder_(flow),
      distances_(graph.nodes.size()),
      reached_(graph.nodes.size()),
      starts_reached_(graph.nodes.size()),
      from_(graph.nodes.size()) {
  for (const ChangeEdge& edge : graph.edges) from_[edge.from].emplace_back(edge.to, edge.is_by_dependence);
  if (guide != Guide::kIsolated) return;
  std::vector<StatementIndex> changes;
  for (const ChangeNode& node : graph.nodes)
    if (node.kind == ChangeNode::Kind::kChange && node.is_reached) changes.push_back(node.statement);
  const std::vector<StatementIndex> deepest = deepest_changes(flow, changes);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (graph.nodes[n].is_output || std::ranges::binary_search(deepest, graph.nodes[n].statement))
      flat_.push_back(n);
}

void Targets::reach_edge(uint32_t from, uint32_t to) {
  const bool is_edge = std::ranges::any_of(from_[from], [&](const auto& edge) { return edge.first == to; });
  if (is_edge) edges_.insert({from, to});
}

bool Targets::reach(const std::vector<uint32_t>& nodes, const std::set<uint32_t>& repeated) {
  const size_t edges_before = edges_.size();
  bool is_new = false;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t node = nodes[i];
    if (i == 0 && !starts_reached_[node]) is_new = starts_reached_[node] = true;
    if (!reached_[node]) is_new = reached_[node] = true;
    if (i > 0) reach_edge(nodes[i - 1], node);
  }
  for (const uint32_t node : repeated) reach_edge(node, node);
  // What depends on a change is reached from it whatever lies between.
  std::vector<bool> follows(reached_.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    for (const auto& [to, is_by_dependence] : from_[nodes[i]])
      if (is_by_dependence && follows[to]) edges_.insert({nodes[i], to});
    follows[nodes[i]] = true;
  }
  return is_new || edges_.size() != edges_before;
}

std::vector<uint32_t> Targets::targets_after(uint32_t node) const {
  if (guide_ == Guide::kIsolated) return flat_;
  // What comes after the end of a sequence begins another one.
  if (node == kNone || from_[node].empty()) return graph_.starts;
  return graph_.successors(node);
}

uint64_t Targets::cost(uint32_t node, const std::vector<PointIndex>& from) {
  if (guide_ == Guide::kUndirected) return 1;
  uint64_t least = cost_of_distance(kNoWay);
  const bool is_begin = node == kNone || from_[node].empty();
  for (const uint32_t target : targets_after(node)) {
    const bool is_reached = guide_ == Guide::kIsolated ? reached_[target]
                            : is_begin                 ? starts_reached_[target]
                                                       : edges_.contains({node, target});
    least = std::min(least, cost_of(target, is_reached, from));
  }
  return least;
}

uint64_t Targets::cost_of(uint32_t target, bool is_reached, const std::vector<PointIndex>& from) {
  if (distances_[target] == nullptr)
    distances_[target] = std::make_unique<Distances>(finder_.to(graph_.nodes[target].points));
  uint64_t least = cost_of_distance(kNoWay);
  for (const PointIndex point : from)
    if (const std::optional<uint32_t> distance = distances_[target]->from(point))
      least = std::min(least, cost_of_distance(std::min<uint64_t>(*distance, kFarthest)));
  return is_reached ? least * kReachedFactor : least;
}

}  // namespace heddle::interact
