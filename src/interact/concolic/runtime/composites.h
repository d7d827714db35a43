// Operations of the program that are composed of several nodes.
#pragma once

#include "interact/concolic/layout.h"

namespace heddle::concolic {

// Operands are nodes of the width of the result; `c` is for the funnel shifts only.
uint32_t make_composite(Composite composite, uint32_t a, uint32_t b, uint32_t c);

}  // namespace heddle::concolic
