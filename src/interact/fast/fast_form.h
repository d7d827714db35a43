// Makes a program in its fast form: with edge counters, comparison operands and marks of watched statements,
// as a position-independent executable that LoadedProgram can load. It runs as an ordinary process, too.
#pragma once

#include "interact/concolic/compile.h"
#include "support/error.h"

namespace heddle::fast {

// An error is the compiler's first one.
Expected<void> compile_fast_form(const concolic::CompileRequest& request);

}  // namespace heddle::fast
