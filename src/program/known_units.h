// KnownUnits: units that were read already, for the next version of the program: most of it is the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "program/facts.h"

namespace heddle::program {

struct KnownUnit {
  std::shared_ptr<const Unit> unit;
  std::vector<uint32_t> left_out;  // symbols of functions that were not wanted, as units before had them
};
using KnownUnits = std::map<uint64_t, KnownUnit>;  // by a hash of their facts

}  // namespace heddle::program
