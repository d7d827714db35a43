#include "path_oracle.h"

#include <algorithm>
#include <deque>

namespace heddle::interact {
namespace {

using Statements = std::set<StatementIndex>;

// Where the program began: nobody is returned to.
constexpr PointIndex kRoot = kNone;

// Of open calls. Enough: a path that needs more calls at once can leave some out that lead back to the same
// procedure.
size_t deepest(const Flow& flow) {
  return 2 * flow.entries.size() + 1;
}

bool includes(const Statements& all, const Statements& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

}  // namespace

PathOracle::PathOracle(const Flow& flow, std::vector<StatementIndex> changes, const Dependences& dependences,
                       const ChangeGraphOptions& options)
    : flow_(flow), dependences_(dependences), options_(options), changes_(changes.begin(), changes.end()) {
  const auto never = [](PointIndex) { return false; };
  // All are taken for live until it is known.
  for (PointIndex p = 0; p < flow.points.size(); ++p) live_.insert(p);
  live_ = reached({{flow.entries[flow.root], {kRoot}}}, never);
  for (const PointIndex p : live_) {
    const Point& point = flow.points[p];
    if (point.statement == kNone) continue;
    live_statements_.insert(point.statement);
    if (point.is_output) outputs_.insert(point.statement);
  }
  for (const StatementIndex s : live_statements_)
    if (is_multiple(s) && !outputs_.contains(s) && (options.with_unimportant || is_important(s)))
      candidates_.insert(s);

  const auto is_end = [&](PointIndex p) { return is_reached_at(p); };
  std::vector<StatementIndex> open;
  Statements followed;
  const auto follow = [&](StatementIndex s) {
    if (outputs_.contains(s) && !changes_.contains(s) && !options.past_outputs) return;
    if (followed.insert(s).second) open.push_back(s);
  };
  for (const StatementIndex change : changes_) follow(change);
  if (options.past_outputs)
    for (const StatementIndex output : outputs_) follow(output);
  while (!open.empty()) {
    const StatementIndex from = open.back();
    open.pop_back();
    for (const PointIndex p : reached_after(from, is_end)) {
      if (!is_reached_at(p)) continue;
      const StatementIndex to = flow.points[p].statement;
      next_edges_.emplace(from, to);
      if (candidates_.contains(to)) locations_.insert(to);
      follow(to);
    }
  }
  for (const StatementIndex location : locations_)
    for (const StatementIndex change : changes_of(location)) dependence_edges_.emplace(change, location);

  const auto is_change = [&](PointIndex p) {
    return is_reached_at(p) && changes_.contains(flow_.points[p].statement);
  };
  for (const PointIndex p : reached({{flow.entries[flow.root], {kRoot}}}, is_change))
    if (is_change(p)) starts_.insert(flow.points[p].statement);
}

std::vector<PathOracle::Place> PathOracle::steps(const Place& from) const {
  const Point& point = flow_.points[from.first];
  std::vector<Place> to;
  if (point.calls.empty() || point.may_skip_calls)
    for (const PointIndex next : point.next) to.push_back({next, from.second});
  for (const ProcedureIndex callee : point.calls) {
    if (from.second.size() >= deepest(flow_)) continue;
    Calls calls = from.second;
    calls.push_back(from.first);
    to.push_back({flow_.entries[callee], calls});
  }
  for (const PointIndex landing : point.landings) to.push_back({landing, from.second});
  if (point.returns) {
    if (from.second.empty()) {
      for (const PointIndex caller : live_) {
        const Point& call = flow_.points[caller];
        if (std::count(call.calls.begin(), call.calls.end(), point.procedure) == 0) continue;
        for (const PointIndex next : call.next) to.push_back({next, {}});
      }
    } else if (from.second.back() != kRoot) {
      const Calls rest(from.second.begin(), from.second.end() - 1);
      for (const PointIndex next : flow_.points[from.second.back()].next) to.push_back({next, rest});
    }
  }
  // An exception of a callee is taken for possible as soon as that is called: see landings.
  if (point.throws && from.second.empty()) {
    std::set<ProcedureIndex> seen;
    unwind(point.procedure, seen, to);
  }
  return to;
}

void PathOracle::unwind(ProcedureIndex procedure, std::set<ProcedureIndex>& seen,
                        std::vector<Place>& to) const {
  if (!seen.insert(procedure).second) return;
  for (const PointIndex caller : live_) {
    const Point& call = flow_.points[caller];
    if (std::count(call.calls.begin(), call.calls.end(), procedure) == 0) continue;
    for (const PointIndex landing : call.landings) to.push_back({landing, {}});
    if (call.landings.empty()) unwind(call.procedure, seen, to);
  }
}

std::set<PointIndex> PathOracle::reached(std::vector<Place> open,
                                         const std::function<bool(PointIndex)>& is_end) const {
  Places seen(open.begin(), open.end());
  std::set<PointIndex> points;
  while (!open.empty()) {
    const Place at = open.back();
    open.pop_back();
    points.insert(at.first);
    if (is_end(at.first)) continue;
    for (Place& next : steps(at))
      if (seen.insert(next).second) open.push_back(std::move(next));
  }
  return points;
}

std::set<PointIndex> PathOracle::reached_after(StatementIndex statement,
                                               const std::function<bool(PointIndex)>& is_end) const {
  std::vector<Place> open;
  for (const PointIndex p : live_)
    if (flow_.points[p].statement == statement && is_reached_at(p))
      for (Place& next : steps({p, {}})) open.push_back(std::move(next));
  return reached(std::move(open), is_end);
}

bool PathOracle::is_reached_at(PointIndex point) const {
  const Point& at = flow_.points[point];
  if (at.statement == kNone || !live_.contains(point)) return false;
  if (outputs_.contains(at.statement)) return at.is_output;
  if (changes_.contains(at.statement)) return at.is_start;
  return candidates_.contains(at.statement) && at.is_end;
}

Statements PathOracle::changes_of(StatementIndex statement) const {
  Statements result;
  if (!live_statements_.contains(statement)) return result;
  for (const StatementIndex change : dependences_.changes[statement])
    if (change != statement && changes_.contains(change) && live_statements_.contains(change))
      result.insert(change);
  return result;
}

bool PathOracle::is_multiple(StatementIndex statement) const {
  return !changes_.contains(statement) && changes_of(statement).size() > 1;
}

// Those that depend on each other, without help of a change.
Statements PathOracle::group_of(StatementIndex statement) const {
  const auto behind = [&](StatementIndex from) {
    Statements seen;
    std::vector<StatementIndex> open{from};
    while (!open.empty()) {
      const StatementIndex at = open.back();
      open.pop_back();
      for (const DirectDependence& direct : dependences_.direct[at])
        if (is_multiple(direct.on) && seen.insert(direct.on).second) open.push_back(direct.on);
    }
    return seen;
  };
  Statements group{statement};
  for (const StatementIndex other : behind(statement))
    if (behind(other).contains(statement)) group.insert(other);
  return group;
}

Statements PathOracle::influence(StatementIndex of, const Statements& group) const {
  Statements whole;
  for (const StatementIndex s : group) whole.merge(changes_of(s));
  Statements own = changes_of(of);
  if (changes_.contains(of)) own.insert(of);
  Statements result;
  for (const StatementIndex change : own)
    if (whole.contains(change)) result.insert(change);
  return result;
}

bool PathOracle::is_derived(const Statements& group) const {
  Statements whole;
  for (const StatementIndex s : group) whole.merge(changes_of(s));
  for (const StatementIndex s : group)
    for (const DirectDependence& direct : dependences_.direct[s])
      if (!group.contains(direct.on) && is_multiple(direct.on) &&
          includes(influence(direct.on, group), whole) && is_shown(group_of(direct.on)))
        return true;
  return false;
}

bool PathOracle::is_shown(const Statements& group) const {
  return is_derived(group) || std::any_of(group.begin(), group.end(), [&](StatementIndex s) {
           return outputs_.contains(s) || is_important(s);
         });
}

bool PathOracle::is_important(StatementIndex statement) const {
  if (outputs_.contains(statement)) return false;
  const Statements group = group_of(statement);
  if (is_derived(group)) return false;
  bool by_data = false;
  bool is_any_entered = false;
  bool is_entered = false;
  for (const StatementIndex s : group) {
    for (const DirectDependence& direct : dependences_.direct[s]) {
      if (group.contains(direct.on) || influence(direct.on, group).empty()) continue;
      by_data |= direct.is_data;
      is_entered |= s == statement;
      is_any_entered |= !outputs_.contains(s);
    }
  }
  return by_data && (is_entered || !is_any_entered);
}

std::optional<uint32_t> PathOracle::distance(PointIndex from, const std::set<PointIndex>& targets) const {
  std::deque<std::pair<Place, uint32_t>> open{{{from, {}}, 0}};
  Places seen{{from, {}}};
  while (!open.empty()) {
    const auto [at, length] = open.front();
    open.pop_front();
    if (targets.contains(at.first)) return length;
    for (Place& next : steps(at))
      if (seen.insert(next).second) open.emplace_back(std::move(next), length + 1);
  }
  return std::nullopt;
}

}  // namespace heddle::interact
