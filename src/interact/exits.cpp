#include "interact/exits.h"

#include <functional>
#include <queue>
#include <utility>

namespace heddle::interact {
namespace {

// To a callee's entry, and back.
constexpr uint32_t kCallEdges = 2;

using Candidate = std::pair<uint32_t, PointIndex>;
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

}  // namespace

// Backwards, by point.
struct Exits::Edges {
  explicit Edges(const Flow& flow)
      : previous(flow.points.size()), thrown_from(flow.points.size()), entered(flow.points.size()) {
    for (PointIndex p = 0; p < flow.points.size(); ++p) {
      for (const PointIndex next : flow.points[p].next) previous[next].push_back(p);
      for (const PointIndex landing : flow.points[p].landings) thrown_from[landing].push_back(p);
    }
    for (ProcedureIndex f = 0; f < flow.entries.size(); ++f) entered[flow.entries[f]].push_back(f);
  }

  std::vector<std::vector<PointIndex>> previous;
  std::vector<std::vector<PointIndex>> thrown_from;
  std::vector<std::vector<ProcedureIndex>> entered;
};

Exits::Exits(const Flow& flow, const std::vector<bool>& stops)
    : exit_(flow.points.size(), kNone), throw_(flow.points.size(), kNone), step_(flow.points.size(), kNone) {
  const Edges edges(flow);
  find_returns(flow, stops, edges);
  find_throws(flow, stops, edges);
}

void Exits::find_returns(const Flow& flow, const std::vector<bool>& stops, const Edges& edges) {
  const std::vector<std::vector<PointIndex>> callers = callers_of(flow);
  Queue open;
  const auto reach = [&](PointIndex point, uint32_t length) {
    if (!stops[point] && exit_[point] == kNone) open.emplace(length, point);
  };
  for (PointIndex p = 0; p < flow.points.size(); ++p) {
    const Point& point = flow.points[p];
    if (point.calls.empty() || point.may_skip_calls) step_[p] = 1;
    if (point.returns) reach(p, 0);
  }
  while (!open.empty()) {
    const auto [length, at] = open.top();
    open.pop();
    if (exit_[at] != kNone) continue;
    exit_[at] = length;
    for (const PointIndex p : edges.previous[at])
      if (step_[p] != kNone) reach(p, step_[p] + length);
    for (const PointIndex p : edges.thrown_from[at]) reach(p, 1 + length);
    for (const ProcedureIndex f : edges.entered[at]) {
      for (const PointIndex caller : callers[f]) {
        if (step_[caller] != kNone) continue;
        step_[caller] = kCallEdges + length;
        for (const PointIndex next : flow.points[caller].next)
          if (exit_[next] != kNone) reach(caller, step_[caller] + exit_[next]);
      }
    }
  }
}

void Exits::find_throws(const Flow& flow, const std::vector<bool>& stops, const Edges& edges) {
  Queue open;
  const auto reach = [&](PointIndex point, uint32_t length) {
    if (!stops[point] && throw_[point] == kNone) open.emplace(length, point);
  };
  for (PointIndex p = 0; p < flow.points.size(); ++p)
    if (flow.points[p].throws) reach(p, 1);
  while (!open.empty()) {
    const auto [length, at] = open.top();
    open.pop();
    if (throw_[at] != kNone) continue;
    throw_[at] = length;
    for (const PointIndex p : edges.previous[at])
      if (step_[p] != kNone) reach(p, step_[p] + length);
    for (const PointIndex p : edges.thrown_from[at]) reach(p, 1 + length);
  }
}

}  // namespace heddle::interact
