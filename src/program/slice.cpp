#include <algorithm>
#include <unordered_set>

#include "program/dependence_graph.h"

namespace heddle::program {

// Passes through helpers. A way that has a call in it is a call, else one that has a decision is control.
std::vector<Dependence::On> Dependence::Impl::neighbours(const Direction& direction, NodeId node) const {
  std::set<std::pair<NodeId, Kind>> found;
  std::vector<std::pair<uint32_t, Kind>> open{{vertices.of_node(node), Kind::kData}};
  std::unordered_set<uint64_t> seen;
  for (bool is_first = true; !open.empty(); is_first = false) {
    const auto [vertex, so_far] = open.back();
    open.pop_back();
    for (uint32_t i = direction.first[vertex]; i < direction.first[vertex + 1]; ++i) {
      const Kind kind = is_first ? direction.kind[i] : std::max(so_far, direction.kind[i]);
      const uint32_t other = direction.other[i];
      const NodeId reached = vertices.node_of(other);
      if (reached.node != kNone) {
        found.insert({reached, kind});
      } else if (seen.insert(uint64_t{other} * 4 + static_cast<uint64_t>(kind)).second) {
        open.push_back({other, kind});
      }
    }
  }
  std::vector<On> result;
  for (const auto& [reached, kind] : found) result.push_back({reached, kind});
  return result;
}

std::set<NodeId> Dependence::Impl::reach(const Direction& direction, const std::vector<NodeId>& from) const {
  std::vector<bool> seen(vertices.count());
  std::vector<uint32_t> open;
  for (const NodeId& node : from) {
    if (!seen[vertices.of_node(node)]) open.push_back(vertices.of_node(node));
    seen[vertices.of_node(node)] = true;
  }
  std::set<NodeId> result;
  while (!open.empty()) {
    const uint32_t vertex = open.back();
    open.pop_back();
    const NodeId node = vertices.node_of(vertex);
    if (node.node != kNone) result.insert(node);
    for (uint32_t i = direction.first[vertex]; i < direction.first[vertex + 1]; ++i) {
      if (seen[direction.other[i]]) continue;
      seen[direction.other[i]] = true;
      open.push_back(direction.other[i]);
    }
  }
  return result;
}

std::set<NodeId> Dependence::backward_slice(const std::vector<NodeId>& from) const {
  return impl_->reach(impl_->backward, from);
}
std::set<NodeId> Dependence::forward_slice(const std::vector<NodeId>& from) const {
  return impl_->reach(impl_->forward, from);
}

}  // namespace heddle::program
