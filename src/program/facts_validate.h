// Whether facts that came from outside may be used without asking again.
#pragma once

#include "program/facts.h"

namespace heddle::program {

// Every symbol, type, node, value and block that is spoken of exists; a function has a first block, unless
// its body is not known.
bool has_valid_indices(const Unit& unit);

}  // namespace heddle::program
