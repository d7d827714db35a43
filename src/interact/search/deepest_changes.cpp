// Which changes decide whether others are executed: control dependence (Ferrante, Ottenstein and Warren, "The
// program dependence graph and its use in optimization", 1987) on the flow, into callees.
#include <algorithm>
#include <map>
#include <set>

#include "interact/search/targets.h"

namespace heddle::interact {
namespace {

// Of one procedure, by point: on which points' decisions it depends directly.
class ControlDependence {
 public:
  ControlDependence(const Flow& flow, ProcedureIndex procedure) : flow_(flow) {
    for (PointIndex p = 0; p < flow.points.size(); ++p)
      if (flow.points[p].procedure == procedure) add(p);
    const auto count = static_cast<uint32_t>(points_.size());
    next_.resize(count);
    for (uint32_t i = 0; i < count; ++i)
      for (const PointIndex next : flow.points[points_[i]].next) next_[i].push_back(numbers_.at(next));
    find_unavoidable();
  }

  // The points that execute or not as `point` decides.
  std::vector<PointIndex> decided_by(PointIndex point) const {
    const uint32_t from = numbers_.at(point);
    std::vector<PointIndex> result;
    if (next_[from].size() < 2) return result;
    for (uint32_t i = 0; i < points_.size(); ++i) {
      const bool after_some =
          std::ranges::any_of(next_[from], [&](uint32_t next) { return unavoidable_[next][i]; });
      if (after_some && (i == from || !unavoidable_[from][i])) result.push_back(points_[i]);
    }
    return result;
  }

 private:
  void add(PointIndex point) {
    numbers_[point] = static_cast<uint32_t>(points_.size());
    points_.push_back(point);
  }

  // What every way from a point to the end comes through: the largest solution of the equations.
  void find_unavoidable() {
    const size_t count = points_.size();
    unavoidable_.assign(count, std::vector<bool>(count, true));
    for (size_t i = 0; i < count; ++i)
      if (next_[i].empty()) only(i, i);
    bool changes = true;
    while (changes) {
      changes = false;
      for (size_t i = count; i-- > 0;) {
        if (next_[i].empty()) continue;
        std::vector<bool> now = unavoidable_[next_[i].front()];
        for (const uint32_t next : next_[i])
          for (size_t k = 0; k < count; ++k) now[k] = now[k] && unavoidable_[next][k];
        now[i] = true;
        if (now == unavoidable_[i]) continue;
        unavoidable_[i] = std::move(now);
        changes = true;
      }
    }
  }
  void only(size_t of, size_t point) {
    unavoidable_[of].assign(points_.size(), false);
    unavoidable_[of][point] = true;
  }

  const Flow& flow_;
  std::vector<PointIndex> points_;
  std::map<PointIndex, uint32_t> numbers_;
  std::vector<std::vector<uint32_t>> next_;
  std::vector<std::vector<bool>> unavoidable_;
};

class ChainOfControl {
 public:
  explicit ChainOfControl(const Flow& flow) : flow_(flow), points_of_(flow.entries.size()) {
    for (PointIndex p = 0; p < flow.points.size(); ++p) points_of_[flow.points[p].procedure].push_back(p);
  }

  // All points that the statement decides over, however indirectly.
  std::set<PointIndex> decided_by(StatementIndex statement) {
    std::set<PointIndex> decided;
    std::vector<PointIndex> open;
    for (PointIndex p = 0; p < flow_.points.size(); ++p)
      if (flow_.points[p].statement == statement) look_from(p, decided, open);
    while (!open.empty()) {
      const PointIndex point = open.back();
      open.pop_back();
      look_from(point, decided, open);
      for (const ProcedureIndex callee : flow_.points[point].calls)
        for (const PointIndex inside : points_of_[callee])
          if (decided.insert(inside).second) open.push_back(inside);
    }
    return decided;
  }

 private:
  void look_from(PointIndex point, std::set<PointIndex>& decided, std::vector<PointIndex>& open) {
    if (flow_.points[point].next.size() < 2) return;
    const ProcedureIndex procedure = flow_.points[point].procedure;
    auto known = dependence_.find(procedure);
    if (known == dependence_.end()) known = dependence_.try_emplace(procedure, flow_, procedure).first;
    for (const PointIndex p : known->second.decided_by(point))
      if (decided.insert(p).second) open.push_back(p);
  }

  const Flow& flow_;
  std::vector<std::vector<PointIndex>> points_of_;  // by procedure
  std::map<ProcedureIndex, ControlDependence> dependence_;
};

}  // namespace

std::vector<StatementIndex> deepest_changes(const Flow& flow, const std::vector<StatementIndex>& changes) {
  ChainOfControl chain(flow);
  std::map<StatementIndex, std::set<StatementIndex>> decided;  // changes by the change that decides
  for (const StatementIndex change : changes)
    for (const PointIndex p : chain.decided_by(change)) decided[change].insert(flow.points[p].statement);
  std::vector<StatementIndex> deepest;
  for (const StatementIndex change : changes) {
    // In a loop, two may decide over each other.
    const bool is_above = std::ranges::any_of(changes, [&](StatementIndex other) {
      return other != change && decided[change].contains(other) && !decided[other].contains(change);
    });
    if (!is_above) deepest.push_back(change);
  }
  std::ranges::sort(deepest);
  return deepest;
}

}  // namespace heddle::interact
