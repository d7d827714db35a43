// Small random programs, the same for the same seed.
#pragma once

#include "interpreter.h"

namespace heddle {

// Two to four threads of a few instructions on few objects, of all kinds that the interpreter knows.
Program random_program(uint32_t seed);

}  // namespace heddle
