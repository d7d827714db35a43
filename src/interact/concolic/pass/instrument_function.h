// Gives each value of a function that may depend on input a handle beside it, and keeps the handles right.
//
// Where an operand has an expression (or memory may have one) a cold block calls the runtime; where none has,
// a test of the handles is all that is executed. Values which only come from constants have no handle at all.
// Whatever is not known here is concrete: floats, vectors, inline assembly, results of code that is not
// instrumented.
//
// Handles cross calls through the call frame (layout.h), together with the function that they are meant for:
// code that is not instrumented leaves it as it is, and what it calls in turn must not take it for its own.
#pragma once

#include <llvm/IR/Function.h>

#include "interact/concolic/pass/options.h"
#include "interact/concolic/pass/runtime_hooks.h"
#include "interact/concolic/pass/site_table.h"

namespace heddle::concolic {

void instrument_function(llvm::Function& function, const RuntimeHooks& hooks, SiteTable& sites,
                         const PassOptions& options);

}  // namespace heddle::concolic
