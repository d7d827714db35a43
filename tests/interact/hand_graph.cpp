#include "hand_graph.h"

namespace heddle::interact {

Dependences close_dependences(uint32_t statements, const std::vector<StatementIndex>& changes,
                              const std::vector<Influence>& direct) {
  std::vector<std::set<StatementIndex>> slices(statements);
  for (StatementIndex s = 0; s < statements; ++s) slices[s] = {s};
  for (bool grows = true; grows;) {
    grows = false;
    for (const Influence& influence : direct) {
      const size_t before = slices[influence.statement].size();
      slices[influence.statement].insert(slices[influence.on].begin(), slices[influence.on].end());
      grows |= slices[influence.statement].size() != before;
    }
  }
  Dependences result;
  result.changes.resize(statements);
  result.direct.resize(statements);
  const std::set<StatementIndex> changed(changes.begin(), changes.end());
  for (StatementIndex s = 0; s < statements; ++s)
    for (const StatementIndex on : slices[s])
      if (changed.contains(on)) result.changes[s].push_back(on);
  for (const Influence& influence : direct)
    result.direct[influence.statement].push_back({influence.on, influence.is_data});
  return result;
}

std::set<std::pair<StatementIndex, StatementIndex>> edges_of(const ChangeGraph& graph) {
  std::set<std::pair<StatementIndex, StatementIndex>> edges;
  for (const ChangeEdge& edge : graph.edges)
    edges.emplace(graph.nodes[edge.from].statement, graph.nodes[edge.to].statement);
  return edges;
}

std::set<StatementIndex> nodes_of(const ChangeGraph& graph, ChangeNode::Kind kind) {
  std::set<StatementIndex> nodes;
  for (const ChangeNode& node : graph.nodes)
    if (node.kind == kind) nodes.insert(node.statement);
  return nodes;
}

std::set<StatementIndex> starts_of(const ChangeGraph& graph) {
  std::set<StatementIndex> starts;
  for (const uint32_t node : graph.starts) starts.insert(graph.nodes[node].statement);
  return starts;
}

}  // namespace heddle::interact
