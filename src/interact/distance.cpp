#include "interact/distance.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "interact/traversal.h"

namespace heddle::interact {
namespace {

uint32_t sum(uint32_t one, uint32_t other) {
  return one == kNone || other == kNone ? kNone : one + other;
}

std::optional<uint32_t> known(uint32_t distance) {
  return distance == kNone ? std::nullopt : std::optional(distance);
}

}  // namespace

DistanceFinder::DistanceFinder(const Flow& flow)
    : flow_(flow),
      exits_(flow, std::vector<bool>(flow.points.size())),
      previous_(flow.points.size()),
      thrown_from_(flow.points.size()),
      callers_(callers_of(flow)),
      entered_(flow.points.size()) {
  const std::vector<bool> live = Traversal(flow, std::vector<bool>(flow.points.size())).from_root();
  for (PointIndex p = 0; p < flow.points.size(); ++p) {
    if (!live[p]) continue;
    for (const PointIndex next : flow.points[p].next) previous_[next].push_back(p);
    for (const PointIndex landing : flow.points[p].landings) thrown_from_[landing].push_back(p);
  }
  for (ProcedureIndex f = 0; f < flow.entries.size(); ++f) entered_[flow.entries[f]].push_back(f);
  for (std::vector<PointIndex>& callers : callers_)
    std::erase_if(callers, [&](PointIndex caller) { return !live[caller]; });
}

Distances DistanceFinder::to(const std::vector<PointIndex>& targets) const {
  return Distances(*this, targets);
}

Distances::Distances(const DistanceFinder& finder, const std::vector<PointIndex>& targets)
    : finder_(finder), inwards_(finder.flow_.points.size(), kNone), outside_(finder.flow_.entries.size()) {
  search_inwards(targets);
  search_callers();
}

void Distances::search_inwards(const std::vector<PointIndex>& targets) {
  std::priority_queue<std::pair<uint32_t, PointIndex>, std::vector<std::pair<uint32_t, PointIndex>>,
                      std::greater<>>
      open;
  for (const PointIndex target : targets) open.emplace(0, target);
  const auto reach = [&](PointIndex point, uint32_t distance) {
    if (distance < inwards_[point]) open.emplace(distance, point);
  };
  while (!open.empty()) {
    const auto [distance, at] = open.top();
    open.pop();
    if (inwards_[at] != kNone) continue;
    inwards_[at] = distance;
    for (const PointIndex p : finder_.previous_[at]) reach(p, sum(finder_.exits_.step(p), distance));
    for (const PointIndex p : finder_.thrown_from_[at]) reach(p, distance + 1);
    for (const ProcedureIndex f : finder_.entered_[at])
      for (const PointIndex caller : finder_.callers_[f]) reach(caller, distance + 1);
  }
}

// From the callers of procedures outwards, over their callers. What is outside of a procedure is nearer than
// what it is found by, so one round in the order of distances is enough.
void Distances::search_callers() {
  using Change = std::pair<ProcedureIndex, bool>;  // whose Outside, and whether by an exception
  std::priority_queue<std::pair<uint32_t, Change>, std::vector<std::pair<uint32_t, Change>>, std::greater<>>
      open;
  const auto improve = [&](ProcedureIndex f, bool is_thrown, uint32_t distance) {
    uint32_t& known_so_far = is_thrown ? outside_[f].thrown : outside_[f].returned;
    if (distance >= known_so_far) return;
    known_so_far = distance;
    open.push({distance, {f, is_thrown}});
  };
  std::vector<std::vector<std::pair<ProcedureIndex, PointIndex>>> calls(outside_.size());  // by the caller's
  for (ProcedureIndex f = 0; f < outside_.size(); ++f)
    for (const PointIndex caller : finder_.callers_[f])
      calls[finder_.flow_.points[caller].procedure].emplace_back(f, caller);
  const auto look_at = [&](ProcedureIndex procedure) {
    for (const auto& [callee, caller] : calls[procedure]) {
      const Outside found = after_call(caller, outside_[procedure]);
      improve(callee, false, found.returned);
      improve(callee, true, found.thrown);
    }
  };
  for (ProcedureIndex f = 0; f < outside_.size(); ++f) look_at(f);
  while (!open.empty()) {
    const auto [distance, change] = open.top();
    open.pop();
    const Outside& now = outside_[change.first];
    if (distance == (change.second ? now.thrown : now.returned)) look_at(change.first);
  }
}

// What the callee finds where it is left, if the caller finds `outside` where it is left itself.
Distances::Outside Distances::after_call(PointIndex call, const Outside& outside) const {
  const Point& point = finder_.flow_.points[call];
  Outside found;
  for (const PointIndex next : point.next)
    found.returned = std::min(found.returned, sum(1, way(next, outside)));
  for (const PointIndex landing : point.landings)
    found.thrown = std::min(found.thrown, way(landing, outside));
  if (point.landings.empty()) found.thrown = outside.thrown;
  return found;
}

uint32_t Distances::way(PointIndex point, const Outside& outside) const {
  return std::min({inwards_[point], sum(finder_.exits_.from(point), outside.returned),
                   sum(finder_.exits_.to_throw(point), outside.thrown)});
}

std::optional<uint32_t> Distances::from(PointIndex point) const {
  return known(way(point, outside_[finder_.flow_.points[point].procedure]));
}

std::optional<uint32_t> Distances::from(PointIndex point, const std::vector<PointIndex>& calls) const {
  Outside outside;
  for (size_t i = calls.size(); i-- > 0;) outside = after_call(calls[i], outside);
  return known(way(point, outside));
}

}  // namespace heddle::interact
