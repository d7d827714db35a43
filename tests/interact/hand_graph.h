// Flows by hand: statements with their successors, in few words.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interact/change_graph.h"

namespace heddle::interact {

// One procedure, where each statement is a point and the first is the entry.
inline Flow simple_flow(const std::vector<std::vector<PointIndex>>& next,
                        const std::set<StatementIndex>& outputs = {}) {
  Flow flow;
  flow.entries = {0};
  flow.statements = static_cast<uint32_t>(next.size());
  for (StatementIndex s = 0; s < next.size(); ++s) {
    Point point;
    point.statement = s;
    point.next = next[s];
    point.is_output = outputs.contains(s);
    point.returns = next[s].empty();
    flow.points.push_back(std::move(point));
  }
  return flow;
}

// What statements depend on directly: {statement, on, is it by data}. The changes follow.
struct Influence {
  StatementIndex statement;
  StatementIndex on;
  bool is_data = true;
};
Dependences close_dependences(uint32_t statements, const std::vector<StatementIndex>& changes,
                              const std::vector<Influence>& direct);

// As pairs of statements.
std::set<std::pair<StatementIndex, StatementIndex>> edges_of(const ChangeGraph& graph);
std::set<StatementIndex> nodes_of(const ChangeGraph& graph, ChangeNode::Kind kind);
std::set<StatementIndex> starts_of(const ChangeGraph& graph);

}  // namespace heddle::interact
