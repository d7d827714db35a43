// Calls and intrinsics of a function of bitcode.
#include "program/function_extractor.h"

#include <utility>

namespace heddle::program {
namespace {

bool is_throw(llvm::StringRef name) {
  return name == "__cxa_throw" || name == "__cxa_rethrow" || name == "_Unwind_Resume";
}

}  // namespace

void FunctionExtractor::translate_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    translate_intrinsic(*intrinsic);
  } else if (call.isInlineAsm()) {
    add(call, {.kind = OpKind::kUnknown, .operands = arguments(call)});
  } else {
    const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
    const auto* known = llvm::dyn_cast<llvm::GlobalValue>(callee);
    Op op{.kind = known != nullptr && is_throw(known->getName()) ? OpKind::kThrow : OpKind::kCall,
          .operands = arguments(call)};
    copy_arguments(call, op);
    if (known != nullptr) {
      op.symbol = unit_.symbol(known);
    } else {
      op.callee = value(callee);
      find_virtual(call, callee, op);
    }
    Op& made = add(call, std::move(op));
    if (const auto* function = llvm::dyn_cast<llvm::Function>(callee)) note_result(made, call, *function);
  }
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    std::vector<Edge>& edges = result_.blocks[block_ids_.at(call.getParent())].edges;
    const bool returns = !call.doesNotReturn() && ops_->back().kind != OpKind::kThrow;
    if (returns) edges.push_back({.to = block_ids_.at(invoke->getNormalDest())});
    edges.push_back({.to = block_ids_.at(invoke->getUnwindDest()), .exceptional = true});
  } else if (call.isTerminator()) {
    add_all_edges(call);
  }
}

std::vector<ValueId> FunctionExtractor::arguments(const llvm::CallBase& call) {
  std::vector<ValueId> operands;
  for (const llvm::Use& argument : call.args()) operands.push_back(value(argument.get()));
  return operands;
}

// What is passed by value in memory is a variable of its own.
void FunctionExtractor::copy_arguments(const llvm::CallBase& call, Op& op) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (!call.isByValArgument(i)) continue;
    const uint64_t size = layout_.getTypeAllocSize(call.getParamByValType(i)).getFixedValue();
    const uint32_t node = nodes_.of(call.getDebugLoc().get());
    const ValueId copy = next_value_++;
    ops_->push_back({.kind = OpKind::kLocal, .node = node, .result = copy, .size = size});
    ops_->push_back({.kind = OpKind::kCopy, .node = node, .operands = {copy, op.operands[i]}, .size = size});
    op.operands[i] = copy;
  }
}

// The table from the object, the slot from the table, and the object itself as `this`: Itanium's ABI.
void FunctionExtractor::find_virtual(const llvm::CallBase& call, const llvm::Value* callee, Op& op) {
  const auto* function = llvm::dyn_cast<llvm::LoadInst>(callee);
  if (function == nullptr) return;
  const auto* slot = llvm::dyn_cast<llvm::GetElementPtrInst>(function->getPointerOperand());
  if (slot == nullptr || slot->getNumIndices() != 1 || !slot->getSourceElementType()->isPointerTy()) return;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(slot->getOperand(1));
  const auto* table = llvm::dyn_cast<llvm::LoadInst>(slot->getPointerOperand());
  if (number == nullptr || table == nullptr) return;
  const llvm::Value* object = table->getPointerOperand();
  const bool returns_in_memory = call.arg_size() > 1 && call.paramHasAttr(0, llvm::Attribute::StructRet);
  const unsigned this_argument = returns_in_memory ? 1 : 0;
  if (call.arg_size() <= this_argument || call.getArgOperand(this_argument) != object) return;
  op.vtable_slot = static_cast<uint32_t>(number->getZExtValue());
  op.type = unit_.types.index_of(pointee(object));
}

void FunctionExtractor::note_result(Op& made, const llvm::CallBase& call, const llvm::Function& callee) {
  const llvm::DISubprogram* described = callee.getSubprogram();
  if (described == nullptr || !call.getType()->isPointerTy()) return;
  const llvm::DITypeRefArray signature = described->getType()->getTypeArray();
  if (signature.size() == 0) return;
  note_pointee(made, &call, pointee_type(signature[0]));
}

void FunctionExtractor::translate_intrinsic(const llvm::IntrinsicInst& call) {
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    add(call, {.kind = OpKind::kCopy,
               .order = order_of(llvm::AtomicOrdering::NotAtomic, copy->isVolatile()),
               .operands = {value(copy->getRawDest()), value(copy->getRawSource())},
               .size = constant_size(copy->getLength())});
    return;
  }
  if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
    add(call, {.kind = OpKind::kFill,
               .order = order_of(llvm::AtomicOrdering::NotAtomic, fill->isVolatile()),
               .operands = {value(fill->getRawDest()), value(fill->getValue())},
               .size = constant_size(fill->getLength())});
    return;
  }
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
      add(call, {.kind = OpKind::kOffset, .operands = {value(call.getArgOperand(0))}});
      if (const llvm::DIType* type = pointee(call.getArgOperand(0))) pointees_.try_emplace(&call, type);
      return;
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap:
    case llvm::Intrinsic::prefetch:
      return;
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::eh_typeid_for:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::objectsize:
      add(call, {.kind = OpKind::kCompute, .operands = arguments(call)});
      return;
    default: {
      const bool is_pure = call.doesNotAccessMemory();
      add(call, {.kind = is_pure ? OpKind::kCompute : OpKind::kUnknown, .operands = arguments(call)});
    }
  }
}

uint64_t FunctionExtractor::constant_size(const llvm::Value* length) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(length);
  return number == nullptr ? 0 : number->getZExtValue();
}

}  // namespace heddle::program
