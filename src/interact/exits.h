// Exits: how far it is from a point to where its procedure returns, calls on the way included.
//
// What calls on a path are passed through by is the same for every target, so it is found once. Shortest
// derivations as in Knuth, "A generalization of Dijkstra's algorithm" (1977): a call is as long as the
// shortest way through one of its callees, which is known when the callee's entry is.
#pragma once

#include <vector>

#include "interact/flow.h"

namespace heddle::interact {

class Exits {
 public:
  // Points where `stops` are on no path. `flow` must outlive this.
  Exits(const Flow& flow, const std::vector<bool>& stops);

  // Edges from the point to a return of its procedure; kNone: there is no way.
  uint32_t from(PointIndex point) const { return exit_[point]; }
  // The same to where an exception has left the procedure.
  uint32_t to_throw(PointIndex point) const { return throw_[point]; }
  // Edges from the point to those that follow it in its procedure, through a callee if there is one; kNone:
  // no callee returns.
  uint32_t step(PointIndex point) const { return step_[point]; }

 private:
  struct Edges;
  void find_returns(const Flow& flow, const std::vector<bool>& stops, const Edges& edges);
  void find_throws(const Flow& flow, const std::vector<bool>& stops, const Edges& edges);

  std::vector<uint32_t> exit_;
  std::vector<uint32_t> throw_;
  std::vector<uint32_t> step_;
};

}  // namespace heddle::interact
