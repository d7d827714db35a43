#include "interact/flow.h"

namespace heddle::interact {

std::vector<std::vector<PointIndex>> callers_of(const Flow& flow) {
  std::vector<std::vector<PointIndex>> callers(flow.entries.size());
  for (PointIndex p = 0; p < flow.points.size(); ++p)
    for (const ProcedureIndex callee : flow.points[p].calls) callers[callee].push_back(p);
  return callers;
}

std::vector<std::vector<PointIndex>> starts_of(const Flow& flow) {
  std::vector<std::vector<PointIndex>> starts(flow.statements);
  for (PointIndex p = 0; p < flow.points.size(); ++p) {
    const Point& point = flow.points[p];
    if (point.statement != kNone && point.is_start) starts[point.statement].push_back(p);
  }
  return starts;
}

}  // namespace heddle::interact
