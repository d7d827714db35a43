#include "interact/concolic/pass/mark_statements.h"

#include <optional>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::concolic {

using namespace llvm;

namespace {

bool is_part_of_statement(const Instruction& instruction) {
  const DebugLoc& location = instruction.getDebugLoc();
  return location && location.getLine() != 0 && !isa<PHINode>(instruction) &&
         !isa<DbgInfoIntrinsic>(instruction) && !instruction.isEHPad() && !isa<AllocaInst>(instruction);
}

// The first instruction of each watched statement in each block; several may be on a line.
std::vector<Instruction*> watched_statements(Function& function, const PassOptions& options) {
  std::vector<Instruction*> result;
  for (BasicBlock& block : function) {
    std::pair<unsigned, std::optional<unsigned>> statement;
    for (Instruction& instruction : block) {
      if (!is_part_of_statement(instruction)) continue;
      const DebugLoc& location = instruction.getDebugLoc();
      const std::pair here{location.getLine(), options.watched_column(location)};
      if (here == statement) continue;
      statement = here;
      if (here.second) result.push_back(&instruction);
    }
  }
  return result;
}

}  // namespace

void mark_statements(Module& module, const PassOptions& options) {
  if (!options.watches()) return;
  LLVMContext& context = module.getContext();
  PointerType* const pointer = PointerType::getUnqual(context);
  const FunctionCallee mark =
      module.getOrInsertFunction("heddle_concolic_mark", Type::getVoidTy(context), pointer);
  for (Function& function : module) {
    for (Instruction* const instruction : watched_statements(function, options))
      IRBuilder<>(instruction).CreateCall(mark, {ConstantPointerNull::get(pointer)});
  }
}

}  // namespace heddle::concolic
