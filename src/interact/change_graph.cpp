#include "interact/change_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "interact/locations.h"
#include "interact/traversal.h"

namespace heddle::interact {
namespace {

class GraphBuilder {
 public:
  GraphBuilder(const ChangeGraphInput& input, const ChangeGraphOptions& options)
      : input_(input),
        options_(options),
        live_(Traversal(input.flow, std::vector<bool>(input.flow.points.size())).from_root()),
        is_change_(input.flow.statements),
        is_output_(input.flow.statements),
        is_location_(input.flow.statements),
        dependences_(input.dependences) {}

  ChangeGraph build() {
    classify();
    mark_points();
    const Traversal traversal(input_.flow, stops_, live_);
    for (StatementIndex s = 0; s < input_.flow.statements; ++s)
      if ((is_change_[s] || is_output_[s]) && !points_[s].empty()) reach(s);
    while (!open_.empty()) {
      const StatementIndex from = open_.back();
      open_.pop_back();
      follow(traversal, from);
    }
    return finish();
  }

 private:
  using Reached = std::vector<bool>;

  void classify() {
    for (const StatementIndex change : input_.changes) is_change_[change] = true;
    std::vector<bool> is_live(input_.flow.statements);
    for (PointIndex p = 0; p < input_.flow.points.size(); ++p) {
      const Point& point = input_.flow.points[p];
      if (!live_[p] || point.statement == kNone) continue;
      is_live[point.statement] = true;
      if (point.is_output) is_output_[point.statement] = true;
    }
    for (StatementIndex s = 0; s < input_.flow.statements; ++s) {
      std::vector<StatementIndex>& changes = dependences_.changes[s];
      std::erase_if(changes, [&](StatementIndex c) { return c == s || !is_live[c] || !is_change_[c]; });
      if (!is_live[s]) changes.clear();
    }
    std::vector<bool> may_interact = input_.may_interact;
    if (may_interact.empty()) may_interact.assign(input_.flow.statements, true);
    is_location_ = find_locations(
        {dependences_, is_change_, is_output_, std::move(may_interact), options_.with_unimportant});
  }

  // Where each statement is reached, by what it is.
  bool is_reached_at(const Point& point) const {
    const StatementIndex s = point.statement;
    if (s == kNone) return false;
    if (is_output_[s]) return point.is_output;
    if (is_change_[s]) return point.is_start;
    return is_location_[s] && point.is_end;
  }
  void mark_points() {
    stops_.resize(input_.flow.points.size());
    points_.resize(input_.flow.statements);
    for (PointIndex p = 0; p < input_.flow.points.size(); ++p) {
      const Point& point = input_.flow.points[p];
      if (!live_[p] || !is_reached_at(point)) continue;
      stops_[p] = true;
      points_[point.statement].push_back(p);
    }
  }

  // It becomes a node, and is followed unless it is an output only.
  void reach(StatementIndex s) {
    if (!reached_.emplace(s, true).second) return;
    if (is_change_[s] || !is_output_[s] || options_.past_outputs) open_.push_back(s);
    if (!is_location_[s]) return;
    for (const StatementIndex change : dependences_.changes[s]) edges_[{change, s}].is_by_dependence = true;
  }

  void follow(const Traversal& traversal, StatementIndex from) {
    const Reached reached = traversal.after(points_[from]);
    for (PointIndex p = 0; p < reached.size(); ++p) {
      if (!reached[p] || !stops_[p]) continue;
      const StatementIndex to = input_.flow.points[p].statement;
      edges_[{from, to}].is_next = true;
      reach(to);
    }
  }

  std::vector<StatementIndex> first_changes() const {
    std::vector<bool> stops(input_.flow.points.size());
    for (const StatementIndex change : input_.changes)
      for (const PointIndex p : points_[change]) stops[p] = true;
    const Reached reached = Traversal(input_.flow, stops).from_root();
    std::vector<StatementIndex> first;
    for (const StatementIndex change : input_.changes)
      if (std::any_of(points_[change].begin(), points_[change].end(), [&](auto p) { return reached[p]; }))
        first.push_back(change);
    return first;
  }

  ChangeGraph finish() {
    for (const StatementIndex change : input_.changes) reached_.emplace(change, false);
    const std::vector<StatementIndex> first = first_changes();
    ChangeGraph graph;
    for (const auto& [s, is_reached] : reached_) {
      using Kind = ChangeNode::Kind;
      const Kind kind = is_change_[s] ? Kind::kChange : is_output_[s] ? Kind::kOutput : Kind::kInteraction;
      graph.nodes.push_back(
          {s, kind, is_output_[s], is_reached, std::move(dependences_.changes[s]), std::move(points_[s])});
    }
    for (const auto& [ends, edge] : edges_)
      graph.edges.push_back(
          {graph.node_of(ends.first), graph.node_of(ends.second), edge.is_next, edge.is_by_dependence});
    for (const StatementIndex change : first) graph.starts.push_back(graph.node_of(change));
    std::sort(graph.starts.begin(), graph.starts.end());
    return graph;
  }

  const ChangeGraphInput& input_;
  const ChangeGraphOptions& options_;
  const Reached live_;
  std::vector<bool> is_change_;  // by statement
  std::vector<bool> is_output_;
  std::vector<bool> is_location_;
  Dependences dependences_;  // without what the program cannot come to
  std::vector<bool> stops_;  // by point
  std::vector<std::vector<PointIndex>> points_;
  std::map<StatementIndex, bool> reached_;
  std::vector<StatementIndex> open_;
  std::map<std::pair<StatementIndex, StatementIndex>, ChangeEdge> edges_;
};

}  // namespace

std::vector<uint32_t> ChangeGraph::successors(uint32_t node) const {
  std::vector<uint32_t> result;
  auto edge = std::lower_bound(edges.begin(), edges.end(), node,
                               [](const ChangeEdge& one, uint32_t from) { return one.from < from; });
  for (; edge != edges.end() && edge->from == node; ++edge) result.push_back(edge->to);
  return result;
}

uint32_t ChangeGraph::node_of(StatementIndex statement) const {
  const auto found =
      std::lower_bound(nodes.begin(), nodes.end(), statement,
                       [](const ChangeNode& node, StatementIndex s) { return node.statement < s; });
  return found != nodes.end() && found->statement == statement ? static_cast<uint32_t>(found - nodes.begin())
                                                               : kNone;
}

ChangeGraph build_change_graph(const ChangeGraphInput& input, const ChangeGraphOptions& options) {
  return GraphBuilder(input, options).build();
}

}  // namespace heddle::interact
