// Facts of units that were compiled as one (unit_batches.h), told apart: each is as if it had been compiled
// alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "program/facts.h"

namespace heddle::program {

// The name of a unit that stands for several; internal symbols carry it until they are told apart.
inline constexpr const char* kBatchFile = "(batch)";

struct BatchMember {
  std::string file;                                      // as Unit::file
  std::function<bool(const std::string& file)> reaches;  // whether the unit includes it; named as in facts
};

// One unit for each member, in order. What a member defines is its own; what headers define belongs to all
// that use it.
std::vector<Unit> split_unit(const Unit& batch, const std::vector<BatchMember>& members);

}  // namespace heddle::program
