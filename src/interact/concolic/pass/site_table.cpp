#include "interact/concolic/pass/site_table.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace heddle::concolic {

using namespace llvm;

namespace {

// The first statement of the block; what has no location (line 0) is passed over.
DebugLoc first_location(const BasicBlock* block) {
  if (block == nullptr) return {};
  for (const Instruction& instruction : *block) {
    if (isa<PHINode>(instruction) || isa<DbgInfoIntrinsic>(instruction)) continue;
    if (const DebugLoc& location = instruction.getDebugLoc(); location && location.getLine() != 0)
      return location;
  }
  return {};
}

// Inlined code does not appear here: the pass comes before the inliner. A location that another pass made up
// of several has line 0.
DebugLoc location_of(const Instruction& instruction) {
  const DebugLoc& own = instruction.getDebugLoc();
  if (own && own.getLine() != 0) return own;
  return first_location(instruction.getParent());
}

}  // namespace

SiteTable::SiteTable(Module& module, bool is_library) : module_(module), is_library_(is_library) {
  LLVMContext& context = module.getContext();
  Type* const pointer = PointerType::getUnqual(context);
  Type* const word = Type::getInt32Ty(context);
  type_ =
      StructType::get(context, {pointer, pointer, pointer, word, word, word, word, word, word, word, word});
  place_ = new GlobalVariable(module, type_, true, GlobalValue::PrivateLinkage, nullptr);
}

Constant* SiteTable::text(StringRef text) {
  Constant*& known = texts_[text];
  if (known == nullptr) {
    Constant* const bytes = ConstantDataArray::getString(module_.getContext(), text);
    auto* const variable =
        new GlobalVariable(module_, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes);
    variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    known = variable;
  }
  return known;
}

Constant* SiteTable::add(const Instruction& instruction, SiteKind kind, const BasicBlock* taken,
                         const BasicBlock* not_taken) {
  Type* const word_type = Type::getInt32Ty(module_.getContext());
  const auto word = [&](unsigned value) { return ConstantInt::get(word_type, value); };
  const auto line = [](const DebugLoc& location) { return location ? location.getLine() : 0; };
  const auto column = [](const DebugLoc& location) { return location ? location.getCol() : 0; };
  const DebugLoc here = location_of(instruction);
  const DebugLoc there = first_location(taken);
  const DebugLoc elsewhere = first_location(not_taken);
  const auto* const scope = here ? dyn_cast<DIScope>(here.getScope()) : nullptr;
  const StringRef file = scope != nullptr ? scope->getFilename() : StringRef();
  const StringRef folder = scope != nullptr ? scope->getDirectory() : StringRef();
  records_.push_back(ConstantStruct::get(
      type_, {text(instruction.getFunction()->getName()), text(file), text(folder), word(line(here)),
              word(column(here)), word(line(there)), word(column(there)), word(line(elsewhere)),
              word(column(elsewhere)), word(static_cast<unsigned>(kind)), word(is_library_ ? 1 : 0)}));
  return ConstantExpr::getInBoundsGetElementPtr(
      type_, place_, ConstantInt::get(Type::getInt64Ty(module_.getContext()), records_.size() - 1));
}

void SiteTable::write() {
  if (!records_.empty()) {
    ArrayType* const type = ArrayType::get(type_, records_.size());
    auto* const table = new GlobalVariable(module_, type, true, GlobalValue::PrivateLinkage,
                                           ConstantArray::get(type, records_), "heddle_concolic_site_table");
    table->setSection("heddle_concolic_sites");
    table->setAlignment(Align(8));
    appendToCompilerUsed(module_, {table});
    place_->replaceAllUsesWith(table);
  }
  place_->eraseFromParent();
}

}  // namespace heddle::concolic
