// A function's facts as text, for people and for tests: what `heddle program show` prints.
#pragma once

#include <string>

#include "program/analyses.h"
#include "program/program.h"

namespace heddle::program {

// Blocks with their statements; under each statement the calls it makes and the memory that it touches
// outside the function's own variables, by name; and where control goes from there.
std::string show_function(const Program& program, FunctionIndex index);

// The same with what only the whole program tells: which locks are held at a statement, and which accesses
// are to memory that several threads may reach.
struct WholeProgram {
  const PointsTo& points_to;
  const Escape& escape;
  const std::vector<LockedRegion>& regions;
};
std::string show_function(const Program& program, FunctionIndex index, const WholeProgram& whole);

// The memory behind an address, as far as facts name it: "counter", "this->items_[…].size", "*get()".
std::string describe_address(const Program& program, FunctionIndex index, ValueId address);

}  // namespace heddle::program
