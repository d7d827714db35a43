// Records that a watched statement is reached: a call of the runtime in front of it, in each block that it
// has a part in. Before anything is optimised, since an assignment may have no instruction afterwards.
#pragma once

#include <llvm/IR/Module.h>

#include "interact/concolic/pass/options.h"

namespace heddle::concolic {

// The calls have no site yet: instrument_function() gives them one.
void mark_statements(llvm::Module& module, const PassOptions& options);

}  // namespace heddle::concolic
