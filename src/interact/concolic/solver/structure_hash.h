// What an expression is, whatever its number in a recording: equal for equal expressions of all executions.
#pragma once

#include <compare>
#include <vector>

#include "interact/concolic/recording.h"

namespace heddle::concolic {

struct StructureHash {
  uint64_t upper = 0;
  uint64_t lower = 0;

  friend auto operator<=>(const StructureHash&, const StructureHash&) = default;
};

// By handle.
std::vector<StructureHash> structure_hashes(const Recording& recording);

// Of a constraint: the condition and which of its sides.
StructureHash constraint_hash(const StructureHash& condition, bool holds);

}  // namespace heddle::concolic
