// SVLocator: the shared variables of a program, by static analysis and by what was seen at run time.
#pragma once

#include <vector>

#include "program/analyses.h"
#include "select/effects.h"
#include "select/shared_variable.h"

namespace heddle::select {

// Accesses of the project's functions that may touch shared memory, in the order of functions and nodes.
// Their old blocks are not known yet.
std::vector<SharedVariable> locate(const AnalysedProgram& program, Effects& effects);

}  // namespace heddle::select
