// Statements that are as they were, and call other functions than before: through an alias, an overload, a
// template's default, a table of functions, a pointer that the change sets, a name that is now another
// function's.
#pragma once

#include <map>
#include <set>

#include "select/analysed_program.h"
#include "select/version_map.h"

namespace heddle::select {

// Of the project's functions.
struct NewCallees {
  // Those that make accesses there that they did not make: if one is no longer called, all that stand in for
  // it (none: a library's function does); else those that were not called before and that the change does not
  // add.
  std::set<program::FunctionIndex> callees;
  std::set<program::FunctionIndex> lost;  // of the base
};
std::map<program::NodeId, NewCallees> new_callees(const ProgramStructure& base, const ProgramStructure& head,
                                                  const VersionMap& versions);

}  // namespace heddle::select
