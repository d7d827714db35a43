#include "interact/traversal.h"

#include <utility>

namespace heddle::interact {

// Goes to points in one of two phases: outwards, where procedures may still be left, and inwards, in
// procedures that the path itself has entered. What is after those is visited from their callers.
class Traversal::Walk {
 public:
  explicit Walk(const Traversal& of)
      : of_(of),
        inwards_(of.flow_.points.size()),
        outwards_(of.flow_.points.size()),
        left_(of.flow_.entries.size()),
        thrown_(of.flow_.entries.size()) {}

  void enter(ProcedureIndex procedure) { visit(of_.flow_.entries[procedure], false); }

  void leave(PointIndex from, bool is_outwards) {
    const Point& point = of_.flow_.points[from];
    for (const ProcedureIndex callee : point.calls) enter(callee);
    if (of_.exits_.step(from) != kNone) visit_all(point.next, is_outwards);
    visit_all(point.landings, is_outwards);
    if (!is_outwards) return;
    if (point.returns) leave_procedure(point.procedure);
    if (point.throws) throw_from(point.procedure);
  }

  std::vector<bool> run() {
    while (!open_.empty()) {
      const auto [at, is_outwards] = open_.back();
      open_.pop_back();
      leave(at, is_outwards);
    }
    for (PointIndex p = 0; p < outwards_.size(); ++p)
      if (outwards_[p]) inwards_[p] = true;
    return std::move(inwards_);
  }

 private:
  void visit_all(const std::vector<PointIndex>& points, bool is_outwards) {
    for (const PointIndex point : points) visit(point, is_outwards);
  }

  void visit(PointIndex point, bool is_outwards) {
    std::vector<bool>& seen = is_outwards ? outwards_ : inwards_;
    if (seen[point]) return;
    seen[point] = true;
    if (!of_.stops_[point]) open_.emplace_back(point, is_outwards);
  }

  void leave_procedure(ProcedureIndex procedure) {
    if (left_[procedure]) return;
    left_[procedure] = true;
    for (const PointIndex caller : of_.callers_[procedure]) visit_all(of_.flow_.points[caller].next, true);
  }

  void throw_from(ProcedureIndex procedure) {
    if (thrown_[procedure]) return;
    thrown_[procedure] = true;
    for (const PointIndex caller : of_.callers_[procedure]) {
      const Point& point = of_.flow_.points[caller];
      visit_all(point.landings, true);
      if (point.landings.empty()) throw_from(point.procedure);
    }
  }

  const Traversal& of_;
  std::vector<bool> inwards_;
  std::vector<bool> outwards_;
  std::vector<bool> left_;
  std::vector<bool> thrown_;
  std::vector<std::pair<PointIndex, bool>> open_;
};

Traversal::Traversal(const Flow& flow, std::vector<bool> stops, const std::vector<bool>& live)
    : flow_(flow), stops_(std::move(stops)), exits_(flow, stops_), callers_(callers_of(flow)) {
  if (live.empty()) return;
  for (std::vector<PointIndex>& callers : callers_)
    std::erase_if(callers, [&](PointIndex caller) { return !live[caller]; });
}

std::vector<bool> Traversal::from_root() const {
  Walk walk(*this);
  walk.enter(flow_.root);
  return walk.run();
}

std::vector<bool> Traversal::after(const std::vector<PointIndex>& from) const {
  Walk walk(*this);
  for (const PointIndex point : from) walk.leave(point, true);
  return walk.run();
}

}  // namespace heddle::interact
