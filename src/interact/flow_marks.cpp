#include "interact/flow_marks.h"

#include <algorithm>
#include <vector>

namespace heddle::interact {
namespace {

using Neighbours = std::vector<std::vector<PointIndex>>;

// Whether from a point on, control is in another statement next, or at one of `borders`.
bool leads_elsewhere(const Flow& flow, PointIndex from, PointIndex first, const Neighbours& neighbours,
                     const std::vector<bool>& borders) {
  std::vector<bool> seen(neighbours.size());
  std::vector<PointIndex> open{from};
  while (!open.empty()) {
    const PointIndex at = open.back();
    open.pop_back();
    if (borders[at - first]) return true;
    for (const PointIndex other : neighbours[at - first]) {
      const StatementIndex statement = flow.points[other].statement;
      if (statement != kNone && statement != flow.points[from].statement) return true;
      if (statement != kNone || seen[other - first]) continue;
      seen[other - first] = true;
      open.push_back(other);
    }
  }
  return false;
}

}  // namespace

void mark_starts_and_ends(Flow& flow, PointIndex first) {
  const size_t count = flow.points.size() - first;
  Neighbours before(count);
  Neighbours after(count);
  std::vector<bool> begins(count, true);
  std::vector<bool> ends(count);
  for (size_t i = 0; i < count; ++i) {
    const Point& point = flow.points[first + i];
    after[i] = point.next;
    ends[i] = point.returns || point.next.empty();
    for (const auto* targets : {&point.next, &point.landings}) {
      for (const PointIndex to : *targets) {
        before[to - first].push_back(static_cast<PointIndex>(first + i));
        begins[to - first] = false;
      }
    }
  }
  begins[0] = true;
  for (PointIndex p = first; p < flow.points.size(); ++p) {
    if (flow.points[p].statement == kNone) continue;
    flow.points[p].is_start = leads_elsewhere(flow, p, first, before, begins);
    flow.points[p].is_end = leads_elsewhere(flow, p, first, after, ends);
  }
}

void spread_throws(Flow& flow) {
  const std::vector<std::vector<PointIndex>> callers = callers_of(flow);
  std::vector<bool> known(flow.entries.size());
  std::vector<ProcedureIndex> open;
  const auto leave = [&](ProcedureIndex procedure) {
    if (known[procedure]) return;
    known[procedure] = true;
    open.push_back(procedure);
  };
  for (const Point& point : flow.points)
    if (point.throws) leave(point.procedure);
  while (!open.empty()) {
    const ProcedureIndex thrower = open.back();
    open.pop_back();
    for (const PointIndex caller : callers[thrower]) {
      Point& point = flow.points[caller];
      if (!point.landings.empty()) continue;
      point.throws = true;
      leave(point.procedure);
    }
  }
}

}  // namespace heddle::interact
