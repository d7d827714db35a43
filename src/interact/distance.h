// Distances: how many edges control is away from where it should come to. The search goes on where this is
// least.
//
// Returns match calls as in traversal.h: with the calls that are open, they are followed exactly; without,
// the nearest caller is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interact/exits.h"
#include "interact/flow.h"

namespace heddle::interact {

class Distances;

// What is the same for all targets.
class DistanceFinder {
 public:
  // `flow` must outlive this.
  explicit DistanceFinder(const Flow& flow);
  // One search backwards for all sources. This must outlive the answer.
  Distances to(const std::vector<PointIndex>& targets) const;

 private:
  friend class Distances;
  const Flow& flow_;
  Exits exits_;
  std::vector<std::vector<PointIndex>> previous_;     // that go on to each point,
  std::vector<std::vector<PointIndex>> thrown_from_;  // or land there when they throw
  std::vector<std::vector<PointIndex>> callers_;      // by procedure: those that the program comes to
  std::vector<std::vector<ProcedureIndex>> entered_;  // procedures whose entry a point is
};

class Distances {
 public:
  // Of points that the program comes to. Nothing: there is no way. From a target it is 0.
  std::optional<uint32_t> from(PointIndex point) const;
  // `calls` are the points of the calls that are open, innermost first.
  std::optional<uint32_t> from(PointIndex point, const std::vector<PointIndex>& calls) const;

 private:
  friend class DistanceFinder;
  Distances(const DistanceFinder& finder, const std::vector<PointIndex>& targets);
  // From where control leaves a procedure, to the targets.
  struct Outside {
    uint32_t returned = kNone;
    uint32_t thrown = kNone;
  };
  void search_inwards(const std::vector<PointIndex>& targets);
  void search_callers();
  Outside after_call(PointIndex call, const Outside& outside) const;
  uint32_t way(PointIndex point, const Outside& outside) const;

  const DistanceFinder& finder_;
  std::vector<uint32_t> inwards_;  // by point: without leaving the procedure
  std::vector<Outside> outside_;   // by procedure: by the nearest caller
};

}  // namespace heddle::interact
