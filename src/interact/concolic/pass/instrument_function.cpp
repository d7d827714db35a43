#include "interact/concolic/pass/instrument_function.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstVisitor.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "interact/concolic/pass/dependent_values.h"
#include "interact/concolic/pass/shadow_values.h"

namespace heddle::concolic {

using namespace llvm;

namespace {

constexpr unsigned kLargestFilteredAccess = 1U << kGranuleShift;

Operation operation_of(Instruction::BinaryOps opcode) {
  switch (opcode) {
    case Instruction::Add:
      return Operation::kAdd;
    case Instruction::Sub:
      return Operation::kSub;
    case Instruction::Mul:
      return Operation::kMul;
    case Instruction::UDiv:
      return Operation::kUDiv;
    case Instruction::SDiv:
      return Operation::kSDiv;
    case Instruction::URem:
      return Operation::kURem;
    case Instruction::SRem:
      return Operation::kSRem;
    case Instruction::And:
      return Operation::kAnd;
    case Instruction::Or:
      return Operation::kOr;
    case Instruction::Xor:
      return Operation::kXor;
    case Instruction::Shl:
      return Operation::kShl;
    case Instruction::LShr:
      return Operation::kLShr;
    case Instruction::AShr:
      return Operation::kAShr;
    default:
      return Operation::kCount;
  }
}

// A comparison as one of the few operations there are.
struct Comparison {
  Operation operation;
  bool is_swapped;
  bool is_negated;
};
Comparison comparison_of(CmpInst::Predicate predicate) {
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return {Operation::kEq, false, false};
    case CmpInst::ICMP_NE:
      return {Operation::kEq, false, true};
    case CmpInst::ICMP_ULT:
      return {Operation::kUlt, false, false};
    case CmpInst::ICMP_ULE:
      return {Operation::kUle, false, false};
    case CmpInst::ICMP_UGT:
      return {Operation::kUlt, true, false};
    case CmpInst::ICMP_UGE:
      return {Operation::kUle, true, false};
    case CmpInst::ICMP_SLT:
      return {Operation::kSlt, false, false};
    case CmpInst::ICMP_SLE:
      return {Operation::kSle, false, false};
    case CmpInst::ICMP_SGT:
      return {Operation::kSlt, true, false};
    default:
      return {Operation::kSle, true, false};
  }
}

class FunctionInstrumenter : public InstVisitor<FunctionInstrumenter> {
 public:
  FunctionInstrumenter(Function& function, const RuntimeHooks& hooks, SiteTable& sites,
                       const PassOptions& options)
      : function_(function),
        hooks_(hooks),
        sites_(sites),
        options_(options),
        layout_(function.getParent()->getDataLayout()),
        dependent_(input_dependent_values(function)),
        known_library_(Triple(function.getParent()->getTargetTriple())),
        word_(Type::getInt32Ty(function.getContext())),
        value_type_(Type::getInt64Ty(function.getContext())) {}

  void run() {
    std::vector<Instruction*> originals;
    for (BasicBlock* const block : ReversePostOrderTraversal<Function*>(&function_)) {
      for (Instruction& instruction : *block) originals.push_back(&instruction);
    }
    clear_variables();
    receive_arguments();
    for (Instruction* const instruction : originals) {
      if (auto* const phi = dyn_cast<PHINode>(instruction)) make_phis(*phi);
    }
    for (Instruction* const instruction : originals) visit(*instruction);
    for (PHINode* const phi : phis_) connect_phis(*phi);
  }

  void visitInstruction(Instruction&) {}
  void visitPHINode(PHINode&) {}

  void visitBinaryOperator(BinaryOperator& instruction) {
    const Operation operation = operation_of(instruction.getOpcode());
    if (operation == Operation::kCount || !is_tracked(instruction.getType())) return;
    Value* const a = instruction.getOperand(0);
    Value* const b = instruction.getOperand(1);
    Value* const width = word(width_of(instruction.getType()));
    const bool divides = operation >= Operation::kUDiv && operation <= Operation::kSRem;
    shadows_.set_scalar(&instruction, guard(&instruction, {handle(a), handle(b)}, [&](IRBuilder<>& builder) {
      if (!divides)
        return builder.CreateCall(hooks_.binary, {word(operation), width, handle_or_none(a), bits(builder, a),
                                                  handle_or_none(b), bits(builder, b)});
      return builder.CreateCall(hooks_.divide,
                                {sites_.add(instruction, SiteKind::kDivisor), word(operation), width,
                                 handle_or_none(a), bits(builder, a), handle_or_none(b), bits(builder, b)});
    }));
  }

  void visitICmpInst(ICmpInst& instruction) {
    if (!is_tracked(instruction.getOperand(0)->getType())) return;
    const Comparison comparison = comparison_of(instruction.getPredicate());
    Value* const a = instruction.getOperand(comparison.is_swapped ? 1 : 0);
    Value* const b = instruction.getOperand(comparison.is_swapped ? 0 : 1);
    Value* const width = word(width_of(a->getType()));
    shadows_.set_scalar(&instruction, guard(&instruction, {handle(a), handle(b)}, [&](IRBuilder<>& builder) {
      Value* const result =
          builder.CreateCall(hooks_.binary, {word(comparison.operation), width, handle_or_none(a),
                                             bits(builder, a), handle_or_none(b), bits(builder, b)});
      if (!comparison.is_negated) return result;
      // The instruction itself comes after this block.
      Value* const equal = builder.CreateZExt(builder.CreateICmpEQ(a, b), value_type_);
      return static_cast<Value*>(builder.CreateCall(
          hooks_.binary, {word(Operation::kXor), word(1), result, equal, word(0), builder.getInt64(1)}));
    }));
  }

  void visitCastInst(CastInst& instruction) {
    Value* const a = instruction.getOperand(0);
    if (!is_tracked(a->getType()) || !is_tracked(instruction.getType()) || handle(a) == nullptr) return;
    const unsigned from = width_of(a->getType());
    const unsigned to = width_of(instruction.getType());
    if (from == to) return shadows_.set_scalar(&instruction, handle(a));
    const Operation operation = from > to                                      ? Operation::kExtract
                                : instruction.getOpcode() == Instruction::SExt ? Operation::kSExt
                                                                               : Operation::kZExt;
    shadows_.set_scalar(&instruction, guard(&instruction, {handle(a)}, [&](IRBuilder<>& builder) {
      return builder.CreateCall(
          hooks_.cast, {word(operation), word(to), word(from), handle(a), bits(builder, a), word(0)});
    }));
  }

  void visitFreezeInst(FreezeInst& instruction) {
    shadows_.set(&instruction, shadows_.get(instruction.getOperand(0)));
  }

  void visitSelectInst(SelectInst& instruction) {
    if (instruction.getCondition()->getType()->isVectorTy()) return;
    Value* const condition = instruction.getCondition();
    const bool is_scalar = is_tracked(instruction.getType());
    const Handles a = shadows_.get(instruction.getTrueValue());
    const Handles b = shadows_.get(instruction.getFalseValue());
    if (is_scalar && handle(condition) != nullptr) {
      const unsigned width = width_of(instruction.getType());
      shadows_.set_scalar(
          &instruction, guard(&instruction, {handle(condition), a[0], b[0]}, [&](IRBuilder<>& builder) {
            return builder.CreateCall(
                hooks_.select, {word(width), handle(condition), builder.CreateZExt(condition, word_),
                                or_none(a[0]), bits(builder, instruction.getTrueValue()), or_none(b[0]),
                                bits(builder, instruction.getFalseValue())});
          }));
      return;
    }
    pin(instruction, condition);
    IRBuilder<> builder(&instruction);
    Handles result;
    for (size_t i = 0; i < a.size(); ++i)
      result.push_back(a[i] == nullptr && b[i] == nullptr
                           ? nullptr
                           : builder.CreateSelect(condition, or_none(a[i]), or_none(b[i])));
    shadows_.set(&instruction, std::move(result));
  }

  void visitGetElementPtrInst(GetElementPtrInst& instruction) {
    if (!is_tracked(instruction.getType())) return;
    MapVector<Value*, APInt> indices;
    APInt constant(64, 0);
    if (!cast<GEPOperator>(instruction).collectOffset(layout_, 64, indices, constant)) return;
    std::vector<Value*> handles = {handle(instruction.getPointerOperand())};
    for (const auto& [index, scale] : indices) handles.push_back(handle(index));
    shadows_.set_scalar(&instruction, guard(&instruction, handles, [&](IRBuilder<>& builder) {
      Value* result = handle_or_none(instruction.getPointerOperand());
      Value* address = bits(builder, instruction.getPointerOperand());
      for (const auto& [index, scale] : indices) {
        Value* const factor = builder.getInt64(scale.getZExtValue());
        result = builder.CreateCall(hooks_.index, {result, address, word(width_of(index->getType())),
                                                   handle_or_none(index), bits(builder, index), factor});
        address = builder.CreateAdd(address,
                                    builder.CreateMul(builder.CreateSExtOrTrunc(index, value_type_), factor));
      }
      if (constant.isZero()) return result;
      return static_cast<Value*>(
          builder.CreateCall(hooks_.binary, {word(Operation::kAdd), word(64), result, address, word(0),
                                             builder.getInt64(constant.getZExtValue())}));
    }));
  }

  void visitLoadInst(LoadInst& instruction) {
    Instruction* const after = instruction.getNextNode();
    Handles result;
    for (const Leaf& leaf : leaves_of(instruction.getType()))
      result.push_back(is_tracked(leaf.type) ? load_leaf(instruction, leaf, after) : nullptr);
    shadows_.set(&instruction, std::move(result));
  }

  void visitStoreInst(StoreInst& instruction) {
    Value* const stored = instruction.getValueOperand();
    const std::vector<Leaf> leaves = leaves_of(stored->getType());
    const Handles handles = shadows_.get(stored);
    if (leaves.empty()) return forget(instruction, instruction.getPointerOperand(), stored->getType());
    for (size_t i = 0; i < leaves.size(); ++i) store_leaf(instruction, leaves[i], handles[i]);
  }

  void visitAtomicRMWInst(AtomicRMWInst& instruction) {
    forget(instruction, instruction.getPointerOperand(), instruction.getType());
  }
  void visitAtomicCmpXchgInst(AtomicCmpXchgInst& instruction) {
    forget(instruction, instruction.getPointerOperand(), instruction.getNewValOperand()->getType());
  }

  void visitExtractValueInst(ExtractValueInst& instruction) {
    const Handles whole = shadows_.get(instruction.getAggregateOperand());
    const auto [first, count] = part_of(instruction.getAggregateOperand()->getType(),
                                        instruction.getIndices(), instruction.getType());
    if (first + count > whole.size()) return;
    shadows_.set(&instruction, Handles(whole.begin() + static_cast<std::ptrdiff_t>(first),
                                       whole.begin() + static_cast<std::ptrdiff_t>(first + count)));
  }

  void visitInsertValueInst(InsertValueInst& instruction) {
    Handles whole = shadows_.get(instruction.getAggregateOperand());
    const Handles part = shadows_.get(instruction.getInsertedValueOperand());
    const auto [first, count] = part_of(instruction.getType(), instruction.getIndices(),
                                        instruction.getInsertedValueOperand()->getType());
    if (first + count > whole.size() || part.size() != count) return;
    std::copy(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first));
    shadows_.set(&instruction, std::move(whole));
  }

  void visitBranchInst(BranchInst& instruction) {
    if (instruction.isUnconditional()) return;
    Value* const condition = instruction.getCondition();
    if (handle(condition) == nullptr) return;
    guard(&instruction, {handle(condition)}, [&](IRBuilder<>& builder) {
      return builder.CreateCall(hooks_.branch,
                                {sites_.add(instruction, SiteKind::kBranch, instruction.getSuccessor(0),
                                            instruction.getSuccessor(1)),
                                 handle(condition), builder.CreateZExt(condition, word_)});
    });
  }

  void visitSwitchInst(SwitchInst& instruction) {
    Value* const condition = instruction.getCondition();
    if (!is_tracked(condition->getType()) || handle(condition) == nullptr || instruction.getNumCases() == 0)
      return;
    Constant* first = nullptr;
    std::vector<uint64_t> values;
    for (const auto& one : instruction.cases()) {
      Constant* const site = sites_.add(instruction, SiteKind::kSwitchCase, one.getCaseSuccessor(),
                                        instruction.getDefaultDest());
      if (first == nullptr) first = site;
      values.push_back(one.getCaseValue()->getZExtValue());
    }
    Constant* const list = ConstantDataArray::get(function_.getContext(), values);
    auto* const cases = new GlobalVariable(*function_.getParent(), list->getType(), true,
                                           GlobalValue::PrivateLinkage, list, "heddle_concolic_cases");
    guard(&instruction, {handle(condition)}, [&](IRBuilder<>& builder) {
      return builder.CreateCall(hooks_.switch_case,
                                {first, word(values.size()), cases, word(width_of(condition->getType())),
                                 handle(condition), bits(builder, condition)});
    });
  }

  void visitIndirectBrInst(IndirectBrInst& instruction) { pin(instruction, instruction.getAddress()); }

  void visitReturnInst(ReturnInst& instruction) {
    Value* const returned = instruction.getReturnValue();
    if (returned == nullptr || instruction.getParent()->getTerminatingMustTailCall() != nullptr) return;
    const std::vector<Leaf> leaves = leaves_of(returned->getType());
    const Handles handles = shadows_.get(returned);
    IRBuilder<> builder(&instruction);
    bool any = false;
    for (size_t i = 0; i < leaves.size() && i < kFrameResults; ++i) {
      if (!is_tracked(leaves[i].type)) continue;
      any = any || handles[i] != nullptr;
      builder.CreateStore(or_none(handles[i]), field(builder, FrameField::kResults, i));
    }
    builder.CreateStore(any ? static_cast<Value*>(&function_) : null_pointer(),
                        field(builder, FrameField::kReturned));
  }

  void visitCallBase(CallBase& call) {
    if (call.isInlineAsm() || isa<DbgInfoIntrinsic>(call)) return;
    if (auto* const intrinsic = dyn_cast<IntrinsicInst>(&call)) return visit_intrinsic(*intrinsic);
    if (call.getCalledOperand() == FunctionCallee(hooks_.mark).getCallee())
      return call.setArgOperand(0, sites_.add(call, SiteKind::kMark));
    pin(call, call.getCalledOperand());
    pin_for_library(call);
    hand_over_arguments(call);
    if (!call.isMustTailCall() && dependent_.contains(&call)) receive_result(call);
  }

 private:
  Value* word(uint64_t value) { return ConstantInt::get(word_, value); }
  Value* word(Operation operation) { return word(static_cast<uint64_t>(operation)); }
  Value* null_pointer() { return ConstantPointerNull::get(PointerType::getUnqual(function_.getContext())); }
  Value* handle(Value* value) { return shadows_.get_scalar(value); }
  Value* or_none(Value* handle) { return handle == nullptr ? word(0) : handle; }
  Value* handle_or_none(Value* value) { return or_none(handle(value)); }

  Value* bits(IRBuilder<>& builder, Value* value) {
    if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, value_type_);
    return builder.CreateZExt(value, value_type_);
  }

  Value* field(IRBuilder<>& builder, FrameField field, size_t index = 0) {
    std::vector<Value*> path = {word(0), word(static_cast<uint64_t>(field))};
    if (field >= FrameField::kArguments) path.push_back(word(index));
    return builder.CreateInBoundsGEP(hooks_.frame_type, builder.CreateThreadLocalAddress(hooks_.frame), path);
  }

  // `make` builds the cold block; the result is its handle, or 0 if the condition does not hold. Null if no
  // handle can ever be there.
  template <typename Make>
  Value* guard(Instruction* before, const std::vector<Value*>& handles, Make make,
               Value* condition = nullptr) {
    IRBuilder<> builder(before);
    Value* any = nullptr;
    for (Value* const handle : handles) {
      if (handle == nullptr) continue;
      any = any == nullptr ? handle : builder.CreateOr(any, handle);
    }
    if (any == nullptr && condition == nullptr) return nullptr;
    if (any != nullptr) {
      Value* const has_any = builder.CreateICmpNE(any, word(0));
      condition = condition == nullptr ? has_any : builder.CreateOr(condition, has_any);
    }
    Instruction* const cold = SplitBlockAndInsertIfThen(
        condition, before, false, MDBuilder(function_.getContext()).createBranchWeights(1, 1000));
    builder.SetInsertPoint(cold);
    Value* const made = make(builder);
    if (made->getType()->isVoidTy()) return nullptr;
    BasicBlock* const from = cold->getParent();
    PHINode* const result = PHINode::Create(word_, 2, "", before->getParent()->begin());
    for (BasicBlock* const predecessor : predecessors(before->getParent()))
      result->addIncoming(predecessor == from ? made : word(0), predecessor);
    return result;
  }

  Value* may_have_expression(Instruction* before, Value* address) {
    IRBuilder<> builder(before);
    Value* const granule = builder.CreateLShr(builder.CreatePtrToInt(address, value_type_), kGranuleShift);
    Value* const slot = builder.CreateAnd(granule, builder.getInt64(kFilterSize - 1));
    Value* const counter = builder.CreateLoad(
        builder.getInt8Ty(), builder.CreateInBoundsGEP(builder.getInt8Ty(), hooks_.filter, slot));
    return builder.CreateICmpNE(counter, builder.getInt8(0));
  }

  // None is needed if the address is always concrete.
  Value* address_site(Instruction& instruction, Value* address_handle) {
    if (address_handle == nullptr) return null_pointer();
    return sites_.add(instruction, SiteKind::kAddress);
  }

  // The program goes on with the concrete value.
  void pin(Instruction& instruction, Value* value) {
    if (!is_tracked(value->getType()) || handle(value) == nullptr) return;
    guard(&instruction, {handle(value)}, [&](IRBuilder<>& builder) {
      return builder.CreateCall(
          hooks_.pin, {sites_.add(instruction, SiteKind::kAddress), word(width_of(value->getType())),
                       handle(value), bits(builder, value)});
    });
  }

  Value* leaf_address(IRBuilder<>& builder, Value* pointer, Type* whole, const Leaf& leaf) {
    if (leaf.path.empty()) return pointer;
    std::vector<Value*> path = {word(0)};
    for (const unsigned index : leaf.path) path.push_back(word(index));
    return builder.CreateInBoundsGEP(whole, pointer, path);
  }

  // The global or local variable of fixed size that a pointer is into.
  bool find_object(Value* pointer, Value*& object, uint64_t& size) {
    object = getUnderlyingObject(pointer);
    Type* type = nullptr;
    if (auto* const global = dyn_cast<GlobalVariable>(object)) {
      if (global->hasDefinitiveInitializer() || !global->isDeclaration()) type = global->getValueType();
    } else if (auto* const local = dyn_cast<AllocaInst>(object)) {
      if (local->isStaticAlloca() && !local->isArrayAllocation()) type = local->getAllocatedType();
    }
    if (type == nullptr) return false;
    size = layout_.getTypeAllocSize(type).getFixedValue();
    return true;
  }

  Value* load_leaf(LoadInst& instruction, const Leaf& leaf, Instruction* after) {
    IRBuilder<> builder(after);
    Value* const pointer = instruction.getPointerOperand();
    Value* const address = leaf_address(builder, pointer, instruction.getType(), leaf);
    Value* const loaded = leaf.path.empty() ? static_cast<Value*>(&instruction)
                                            : builder.CreateExtractValue(&instruction, leaf.path);
    const unsigned width = width_of(leaf.type);
    const auto size = static_cast<unsigned>(layout_.getTypeStoreSize(leaf.type).getFixedValue());
    Value* const pointer_handle = leaf.path.empty() ? handle(pointer) : nullptr;
    if (!leaf.path.empty()) pin(*after, pointer);
    Value* const condition = may_have_expression(after, address);
    return guard(
        after, {pointer_handle},
        [&](IRBuilder<>& cold) {
          Value* const value = bits(cold, loaded);
          Value* object = nullptr;
          uint64_t object_size = 0;
          Value* result = nullptr;
          if (pointer_handle != nullptr && find_object(pointer, object, object_size)) {
            result = cold.CreateCall(hooks_.load_object,
                                     {sites_.add(instruction, SiteKind::kBounds), address, pointer_handle,
                                      word(size), value, object, cold.getInt64(object_size)});
          } else {
            result = cold.CreateCall(hooks_.load, {address_site(instruction, pointer_handle), address,
                                                   or_none(pointer_handle), word(size), value});
          }
          if (size * 8 == width) return result;
          return static_cast<Value*>(cold.CreateCall(
              hooks_.cast, {word(Operation::kExtract), word(width), word(size * 8), result, value, word(0)}));
        },
        condition);
  }

  void store_leaf(StoreInst& instruction, const Leaf& leaf, Value* stored) {
    IRBuilder<> builder(&instruction);
    Value* const pointer = instruction.getPointerOperand();
    Value* const address = leaf_address(builder, pointer, instruction.getValueOperand()->getType(), leaf);
    if (!is_tracked(leaf.type)) return forget(instruction, address, leaf.type);
    const auto size = static_cast<unsigned>(layout_.getTypeStoreSize(leaf.type).getFixedValue());
    Value* const value = leaf.path.empty()
                             ? instruction.getValueOperand()
                             : builder.CreateExtractValue(instruction.getValueOperand(), leaf.path);
    Value* const condition = may_have_expression(&instruction, address);
    guard(
        &instruction, {handle(pointer), stored},
        [&](IRBuilder<>& cold) {
          return cold.CreateCall(
              hooks_.store, {address_site(instruction, handle(pointer)), address, handle_or_none(pointer),
                             word(size), or_none(stored), bits(cold, value)});
        },
        condition);
  }

  // Something that has no expression is written.
  void forget(Instruction& instruction, Value* address, Type* type) {
    pin(instruction, address);
    const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
    const auto clear = [&](IRBuilder<>& builder) {
      return builder.CreateCall(hooks_.clear, {address, builder.getInt64(size)});
    };
    if (size <= kLargestFilteredAccess) {
      guard(&instruction, {}, clear, may_have_expression(&instruction, address));
    } else {
      IRBuilder<> builder(&instruction);
      clear(builder);
    }
  }

  // Where the leaves of a part begin among those of the whole, and how many it has.
  std::pair<size_t, size_t> part_of(Type* whole, ArrayRef<unsigned> path, Type* part) {
    const std::vector<Leaf> leaves = leaves_of(whole);
    size_t first = 0;
    while (first < leaves.size() &&
           !ArrayRef<unsigned>(leaves[first].path).take_front(path.size()).equals(path))
      ++first;
    return {first, leaves_of(part).size()};
  }

  void make_phis(PHINode& phi) {
    if (!dependent_.contains(&phi)) return;
    Handles handles;
    for (const Leaf& leaf : leaves_of(phi.getType()))
      handles.push_back(is_tracked(leaf.type)
                            ? PHINode::Create(word_, phi.getNumIncomingValues(), "", phi.getIterator())
                            : nullptr);
    shadows_.set(&phi, std::move(handles));
    phis_.push_back(&phi);
  }

  // At the end: blocks have been split, which the phis themselves have noticed.
  void connect_phis(PHINode& phi) {
    const Handles handles = shadows_.get(&phi);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const Handles incoming = shadows_.get(phi.getIncomingValue(i));
      for (size_t leaf = 0; leaf < handles.size(); ++leaf) {
        if (handles[leaf] == nullptr) continue;
        cast<PHINode>(handles[leaf])->addIncoming(or_none(incoming[leaf]), phi.getIncomingBlock(i));
      }
    }
  }

  // What was on the stack before has nothing to do with these: functions that are not instrumented may fill
  // them.
  void clear_variables() {
    Instruction* const first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    std::vector<AllocaInst*> variables;
    for (Instruction& instruction : function_.getEntryBlock()) {
      if (auto* const variable = dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
    }
    for (AllocaInst* const variable : variables) {
      if (variable->isStaticAlloca() && !variable->isArrayAllocation())
        forget(*first, variable, variable->getAllocatedType());
    }
  }

  void receive_arguments() {
    Instruction* const first = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    if (function_.getName() == "main") return receive_command_line(first);
    if (function_.arg_empty()) return;
    IRBuilder<> builder(first);
    Value* const callee = builder.CreateLoad(builder.getPtrTy(), field(builder, FrameField::kCallee));
    Value* const is_meant = builder.CreateICmpEQ(callee, &function_);
    builder.CreateStore(null_pointer(), field(builder, FrameField::kCallee));
    size_t place = 0;
    for (Argument& argument : function_.args()) {
      if (argument.hasByValAttr()) {
        receive_copy(argument, place++, is_meant, first);
        continue;
      }
      Handles handles;
      for (const Leaf& leaf : leaves_of(argument.getType())) {
        const size_t here = place++;
        if (!is_tracked(leaf.type) || here >= kFrameArguments || argument.use_empty()) {
          handles.push_back(nullptr);
          continue;
        }
        IRBuilder<> here_builder(first);
        Value* const given =
            here_builder.CreateLoad(word_, field(here_builder, FrameField::kArguments, here));
        handles.push_back(here_builder.CreateSelect(is_meant, given, word(0)));
      }
      shadows_.set(&argument, std::move(handles));
    }
  }

  // A structure that the caller's machine code has copied onto the stack.
  void receive_copy(Argument& argument, size_t place, Value* is_meant, Instruction* first) {
    if (place >= kFrameArguments) return;
    guard(
        first, {},
        [&](IRBuilder<>& builder) {
          Value* const source =
              builder.CreateLoad(builder.getPtrTy(), field(builder, FrameField::kSources, place));
          const uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType()).getFixedValue();
          return builder.CreateCall(hooks_.copy, {&argument, source, builder.getInt64(size)});
        },
        is_meant);
  }

  void receive_command_line(Instruction* first) {
    if (function_.arg_size() < 2) {
      IRBuilder<> builder(first);
      builder.CreateCall(hooks_.arguments, {word(0), null_pointer()});
      return;
    }
    IRBuilder<> builder(first);
    Argument* const count = function_.getArg(0);
    Argument* const strings = function_.getArg(1);
    CallInst* const moved = builder.CreateCall(hooks_.arguments, {count, strings});
    strings->replaceUsesWithIf(moved, [&](Use& use) { return use.getUser() != moved; });
    shadows_.set_scalar(count, builder.CreateCall(hooks_.argument_count, {count}));
  }

  // What a library without expressions does with an argument leaves no constraint. Which of several texts or
  // constants it gets is a decision of the program, though none of its branches shows it.
  void pin_for_library(CallBase& call) {
    const Function* const called = call.getCalledFunction();
    if (called == nullptr || !is_library_function(*called)) return;
    for (Value* const argument : call.args()) {
      const auto* const choice = dyn_cast<SelectInst>(argument);
      const bool is_constant_choice = choice != nullptr && isa<Constant>(choice->getTrueValue()) &&
                                      isa<Constant>(choice->getFalseValue());
      if (argument->getType()->isPointerTy() || is_constant_choice) pin(call, argument);
    }
  }

  // Of the C library, as the compiler knows it; those that heddle has compiled have other names by now.
  bool is_library_function(const Function& function) const {
    LibFunc which{};
    return known_library_.getLibFunc(function.getName(), which);
  }

  void hand_over_arguments(CallBase& call) {
    IRBuilder<> builder(&call);
    const Function* const called = call.getCalledFunction();
    const bool is_own_library = called != nullptr && called->getName().starts_with("heddle_concolic_");
    if (is_own_library && !options_.is_library())
      builder.CreateStore(sites_.add(call, SiteKind::kCall), field(builder, FrameField::kCaller));
    std::vector<std::pair<size_t, Value*>> places;
    bool any = false;
    size_t place = 0;
    for (unsigned i = 0; i < call.getFunctionType()->getNumParams() && i < call.arg_size(); ++i) {
      Value* const argument = call.getArgOperand(i);
      if (call.isByValArgument(i)) {
        if (place < kFrameArguments)
          builder.CreateStore(argument, field(builder, FrameField::kSources, place));
        ++place;
        any = true;
        continue;
      }
      const std::vector<Leaf> leaves = leaves_of(argument->getType());
      const Handles handles = shadows_.get(argument);
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf, ++place) {
        if (!is_tracked(leaves[leaf].type) || place >= kFrameArguments) continue;
        places.emplace_back(place, handles[leaf]);
        any = any || handles[leaf] != nullptr;
      }
    }
    builder.CreateStore(any ? call.getCalledOperand() : null_pointer(), field(builder, FrameField::kCallee));
    if (!any) return;
    for (const auto& [where, handle] : places)
      builder.CreateStore(or_none(handle), field(builder, FrameField::kArguments, where));
  }

  void receive_result(CallBase& call) {
    const std::vector<Leaf> leaves = leaves_of(call.getType());
    const bool has_tracked =
        std::any_of(leaves.begin(), leaves.end(), [](const Leaf& leaf) { return is_tracked(leaf.type); });
    if (!has_tracked || call.use_empty()) return;
    IRBuilder<> builder(after_call(call));
    Value* const returned = builder.CreateLoad(builder.getPtrTy(), field(builder, FrameField::kReturned));
    Value* const is_meant = builder.CreateICmpEQ(returned, call.getCalledOperand());
    Handles handles(leaves.size(), nullptr);
    for (size_t i = 0; i < leaves.size() && i < kFrameResults; ++i) {
      if (!is_tracked(leaves[i].type)) continue;
      Value* const given = builder.CreateLoad(word_, field(builder, FrameField::kResults, i));
      handles[i] = builder.CreateSelect(is_meant, given, word(0));
    }
    shadows_.set(&call, std::move(handles));
  }

  Instruction* after_call(CallBase& call) {
    auto* const invoke = dyn_cast<InvokeInst>(&call);
    if (invoke == nullptr) return call.getNextNode();
    BasicBlock* block = invoke->getNormalDest();
    if (block->getSinglePredecessor() == nullptr) block = SplitEdge(invoke->getParent(), block);
    return &*block->getFirstInsertionPt();
  }

  void visit_intrinsic(IntrinsicInst& call) {
    if (auto* const copy = dyn_cast<MemTransferInst>(&call)) return visit_copy(*copy);
    if (auto* const fill = dyn_cast<MemSetInst>(&call)) return visit_fill(*fill);
    switch (call.getIntrinsicID()) {
      case Intrinsic::expect:
      case Intrinsic::expect_with_probability:
      case Intrinsic::launder_invariant_group:
      case Intrinsic::strip_invariant_group:
      case Intrinsic::ssa_copy:
        return shadows_.set(&call, shadows_.get(call.getArgOperand(0)));
      case Intrinsic::sadd_with_overflow:
        return visit_with_overflow(call, Operation::kAdd, Operation::kSAddOverflow);
      case Intrinsic::uadd_with_overflow:
        return visit_with_overflow(call, Operation::kAdd, Operation::kUAddOverflow);
      case Intrinsic::ssub_with_overflow:
        return visit_with_overflow(call, Operation::kSub, Operation::kSSubOverflow);
      case Intrinsic::usub_with_overflow:
        return visit_with_overflow(call, Operation::kSub, Operation::kUSubOverflow);
      case Intrinsic::smul_with_overflow:
        return visit_with_overflow(call, Operation::kMul, Operation::kSMulOverflow);
      case Intrinsic::umul_with_overflow:
        return visit_with_overflow(call, Operation::kMul, Operation::kUMulOverflow);
      case Intrinsic::smin:
        return visit_composite(call, Composite::kSMin, 2);
      case Intrinsic::smax:
        return visit_composite(call, Composite::kSMax, 2);
      case Intrinsic::umin:
        return visit_composite(call, Composite::kUMin, 2);
      case Intrinsic::umax:
        return visit_composite(call, Composite::kUMax, 2);
      case Intrinsic::abs:
        return visit_composite(call, Composite::kAbs, 1);
      case Intrinsic::bswap:
        return visit_composite(call, Composite::kByteSwap, 1);
      case Intrinsic::bitreverse:
        return visit_composite(call, Composite::kBitReverse, 1);
      case Intrinsic::ctpop:
        return visit_composite(call, Composite::kPopulationCount, 1);
      case Intrinsic::ctlz:
        return visit_composite(call, Composite::kLeadingZeros, 1);
      case Intrinsic::cttz:
        return visit_composite(call, Composite::kTrailingZeros, 1);
      case Intrinsic::fshl:
        return visit_composite(call, Composite::kFunnelLeft, 3);
      case Intrinsic::fshr:
        return visit_composite(call, Composite::kFunnelRight, 3);
      case Intrinsic::uadd_sat:
        return visit_composite(call, Composite::kUAddSaturated, 2);
      case Intrinsic::sadd_sat:
        return visit_composite(call, Composite::kSAddSaturated, 2);
      case Intrinsic::usub_sat:
        return visit_composite(call, Composite::kUSubSaturated, 2);
      case Intrinsic::ssub_sat:
        return visit_composite(call, Composite::kSSubSaturated, 2);
      default:
        return;
    }
  }

  // A missing operand is the first one again.
  void visit_composite(IntrinsicInst& call, Composite composite, unsigned operands) {
    if (!is_tracked(call.getType())) return;
    Value* const a = call.getArgOperand(0);
    Value* const b = call.getArgOperand(operands > 1 ? 1 : 0);
    Value* const c = call.getArgOperand(operands > 2 ? 2 : 0);
    shadows_.set_scalar(&call, guard(&call, {handle(a), handle(b), handle(c)}, [&](IRBuilder<>& builder) {
      return builder.CreateCall(
          hooks_.composite,
          {word(static_cast<uint64_t>(composite)), word(width_of(call.getType())), handle_or_none(a),
           bits(builder, a), handle_or_none(b), bits(builder, b), handle_or_none(c), bits(builder, c)});
    }));
  }

  void visit_with_overflow(IntrinsicInst& call, Operation operation, Operation overflow) {
    Value* const a = call.getArgOperand(0);
    Value* const b = call.getArgOperand(1);
    if (!is_tracked(a->getType())) return;
    const auto make = [&](Operation what) {
      return guard(&call, {handle(a), handle(b)}, [&](IRBuilder<>& builder) {
        return builder.CreateCall(hooks_.binary, {word(what), word(width_of(a->getType())), handle_or_none(a),
                                                  bits(builder, a), handle_or_none(b), bits(builder, b)});
      });
    };
    Value* const result = make(operation);
    shadows_.set(&call, {result, make(overflow)});
  }

  void visit_copy(MemTransferInst& copy) {
    for (Value* const operand : {copy.getRawDest(), copy.getRawSource(), copy.getLength()})
      pin(copy, operand);
    IRBuilder<> builder(&copy);
    builder.CreateCall(hooks_.copy,
                       {copy.getRawDest(), copy.getRawSource(), bits(builder, copy.getLength())});
  }

  void visit_fill(MemSetInst& fill) {
    for (Value* const operand : {fill.getRawDest(), fill.getLength()}) pin(fill, operand);
    IRBuilder<> builder(&fill);
    builder.CreateCall(hooks_.fill, {fill.getRawDest(), bits(builder, fill.getLength()),
                                     handle_or_none(fill.getValue()), bits(builder, fill.getValue())});
  }

  Function& function_;
  const RuntimeHooks& hooks_;
  SiteTable& sites_;
  const PassOptions& options_;
  const DataLayout& layout_;
  const DenseSet<Value*> dependent_;
  const TargetLibraryInfoImpl known_library_;
  Type* const word_;
  Type* const value_type_;
  ShadowValues shadows_;
  std::vector<PHINode*> phis_;
};

}  // namespace

void instrument_function(Function& function, const RuntimeHooks& hooks, SiteTable& sites,
                         const PassOptions& options) {
  FunctionInstrumenter(function, hooks, sites, options).run();
}

}  // namespace heddle::concolic
