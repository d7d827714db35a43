// Traversal: which points control may come to next.
//
// Paths are those where returns match calls: a call that the path makes is left to what follows that call. On
// the way out of the procedure that a path begins in, it may return to any of the callers that are `live`:
// which of them has called is not known.
#pragma once

#include <vector>

#include "interact/exits.h"
#include "interact/flow.h"

namespace heddle::interact {

class Traversal {
 public:
  // A path ends where `stops` is set. `live`: points that the program comes to; empty: all are.
  Traversal(const Flow& flow, std::vector<bool> stops, const std::vector<bool>& live = {});

  // By point, those where the path ends included.
  std::vector<bool> from_root() const;
  // After one of `from`, whether or not they are stops.
  std::vector<bool> after(const std::vector<PointIndex>& from) const;

 private:
  class Walk;

  const Flow& flow_;
  std::vector<bool> stops_;
  Exits exits_;
  std::vector<std::vector<PointIndex>> callers_;  // that are live, by procedure
};

}  // namespace heddle::interact
