// Statements that are as they were, and call other functions than before: through an alias, an overload, a
// template's default, a table of functions, a pointer that the change sets.
#pragma once

#include <map>
#include <set>

#include "select/analysed_program.h"
#include "select/version_map.h"

namespace heddle::select {

// Of the project's functions, which the base has too.
std::map<program::NodeId, std::set<program::FunctionIndex>> new_callees(const ProgramStructure& base,
                                                                        const ProgramStructure& head,
                                                                        const VersionMap& versions);

}  // namespace heddle::select
