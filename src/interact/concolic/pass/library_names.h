// The functions of the C library that have a double in libc/, which keeps constraints.
#pragma once

#include <llvm/IR/Module.h>

#include "interact/concolic/pass/options.h"

namespace heddle::concolic {

// Lets the module call the doubles, which have the same types; not for functions that the program defines
// itself.
void use_own_library(llvm::Module& module, const PassOptions& options);

}  // namespace heddle::concolic
