#include "interact/distance.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "interact/traversal.h"

namespace heddle::interact {
namespace {

using Candidate = std::pair<uint32_t, uint32_t>;
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

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
      throwing_(flow.entries.size()),
      callers_(callers_of(flow)),
      entered_(flow.points.size()) {
  const std::vector<bool> live = Traversal(flow, std::vector<bool>(flow.points.size())).from_root();
  for (PointIndex p = 0; p < flow.points.size(); ++p) {
    if (!live[p]) continue;
    for (const PointIndex next : flow.points[p].next) previous_[next].push_back(p);
    for (const PointIndex landing : flow.points[p].landings) thrown_from_[landing].push_back(p);
    if (flow.points[p].throws) throwing_[flow.points[p].procedure].push_back(p);
  }
  for (ProcedureIndex f = 0; f < flow.entries.size(); ++f) entered_[flow.entries[f]].push_back(f);
  for (std::vector<PointIndex>& callers : callers_)
    std::erase_if(callers, [&](PointIndex caller) { return !live[caller]; });
}

Distances DistanceFinder::to(const std::vector<PointIndex>& targets) const {
  return Distances(*this, targets);
}

Distances::Distances(const DistanceFinder& finder, const std::vector<PointIndex>& targets)
    : finder_(finder), after_return_(finder.flow_.entries.size(), kNone) {
  search_inwards(targets);
  search_callers();
}

// Places of the search are points, and after them one for each procedure: an exception is about to leave it
// for its caller.
void Distances::search_inwards(const std::vector<PointIndex>& targets) {
  const auto points = static_cast<uint32_t>(finder_.flow_.points.size());
  inwards_.assign(points + finder_.flow_.entries.size(), kNone);
  Queue open;
  for (const PointIndex target : targets) open.emplace(0, target);
  const auto reach = [&](uint32_t place, uint32_t distance) {
    if (distance < inwards_[place]) open.emplace(distance, place);
  };
  const auto reach_thrown = [&](PointIndex call, uint32_t distance) {
    for (const ProcedureIndex callee : finder_.flow_.points[call].calls) reach(points + callee, distance);
  };
  while (!open.empty()) {
    const auto [distance, at] = open.top();
    open.pop();
    if (inwards_[at] != kNone) continue;
    inwards_[at] = distance;
    if (at >= points) {
      for (const PointIndex p : finder_.throwing_[at - points]) {
        reach(p, distance + 1);
        reach_thrown(p, distance + 1);
      }
      continue;
    }
    for (const PointIndex p : finder_.previous_[at]) reach(p, sum(finder_.exits_.step(p), distance));
    for (const PointIndex p : finder_.thrown_from_[at]) {
      reach(p, distance + 1);
      reach_thrown(p, distance);
    }
    for (const ProcedureIndex f : finder_.entered_[at])
      for (const PointIndex caller : finder_.callers_[f]) reach(caller, distance + 1);
  }
}

// From the returns of procedures, outwards: over callers and theirs.
void Distances::search_callers() {
  Queue open;
  std::vector<std::vector<std::pair<ProcedureIndex, uint32_t>>> returning_to(after_return_.size());
  for (ProcedureIndex f = 0; f < after_return_.size(); ++f) {
    for (const PointIndex caller : finder_.callers_[f]) {
      const Point& point = finder_.flow_.points[caller];
      for (const PointIndex next : point.next) {
        if (inwards_[next] != kNone) open.emplace(inwards_[next] + 1, f);
        if (finder_.exits_.from(next) != kNone)
          returning_to[point.procedure].emplace_back(f, finder_.exits_.from(next) + 1);
      }
    }
  }
  while (!open.empty()) {
    const auto [distance, at] = open.top();
    open.pop();
    if (after_return_[at] != kNone) continue;
    after_return_[at] = distance;
    for (const auto& [callee, length] : returning_to[at])
      if (after_return_[callee] == kNone) open.emplace(distance + length, callee);
  }
}

uint32_t Distances::through_return(PointIndex point, uint32_t after_return) const {
  return std::min(inwards_[point], sum(finder_.exits_.from(point), after_return));
}

std::optional<uint32_t> Distances::from(PointIndex point) const {
  return known(through_return(point, after_return_[finder_.flow_.points[point].procedure]));
}

std::optional<uint32_t> Distances::from(PointIndex point, const std::vector<PointIndex>& calls) const {
  uint32_t after_return = kNone;
  for (size_t i = calls.size(); i-- > 0;) {
    uint32_t nearest = kNone;
    for (const PointIndex next : finder_.flow_.points[calls[i]].next)
      nearest = std::min(nearest, sum(through_return(next, after_return), 1));
    after_return = nearest;
  }
  return known(through_return(point, after_return));
}

}  // namespace heddle::interact
