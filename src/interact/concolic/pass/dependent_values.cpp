#include "interact/concolic/pass/dependent_values.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heddle::concolic {

using namespace llvm;

DenseSet<Value*> input_dependent_values(Function& function) {
  DenseSet<Value*> dependent;
  SmallVector<Value*, 64> open;
  const auto add = [&](Value* value) {
    if (dependent.insert(value).second) open.push_back(value);
  };
  for (Argument& argument : function.args()) add(&argument);
  for (Instruction& instruction : instructions(function)) {
    if (isa<LoadInst>(instruction) || isa<CallBase>(instruction)) add(&instruction);
  }
  while (!open.empty()) {
    for (User* const user : open.pop_back_val()->users()) {
      if (isa<Instruction>(user)) add(user);
    }
  }
  return dependent;
}

}  // namespace heddle::concolic
