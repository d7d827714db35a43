// Which values of a function may depend on input: what comes from memory, parameters or calls, and what is
// computed of it. All others need no handle.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace heddle::concolic {

llvm::DenseSet<llvm::Value*> input_dependent_values(llvm::Function& function);

}  // namespace heddle::concolic
