// Structure texts: how structures that calls give are written, as C++ (heddle/outcome.h). Without, a half
// written pair of bounds would look like any other.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "generate/class_model.h"

namespace heddle::generate {

struct StructureText {
  std::string type;
  std::string definition;  // at namespace scope, behind heddle/outcome.h
};

// Of all that these methods give, by value, in containers or as fields of others; what is a part of others
// comes first.
std::vector<StructureText> structure_texts(const ClassModel& model, const std::set<uint32_t>& methods);

}  // namespace heddle::generate
