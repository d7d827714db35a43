// Virtual functions that a class no longer has in its tables, or has there now, because of a name: who calls
// through the table may be a library, so that no call of the program shows it.
#pragma once

#include <map>
#include <string>

#include "select/analysed_program.h"
#include "select/version_map.h"

namespace heddle::select {

// Functions of the base that are executed where something else would be in the head, with the class: those
// that are lost; or, if a class lost none and overrides more of what the base has too, its constructors.
std::map<program::FunctionIndex, std::string> changed_overrides(const program::Program& base,
                                                                const program::Program& head,
                                                                const VersionMap& versions);

}  // namespace heddle::select
