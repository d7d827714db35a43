// One function of bitcode → its graph of blocks and operations. Its calls are in extract_calls.cpp.
#include "program/function_extractor.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InlineAsm.h>

namespace heddle::program {

MemoryOrder order_of(llvm::AtomicOrdering ordering, bool is_volatile) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic:
      return is_volatile ? MemoryOrder::kVolatile : MemoryOrder::kPlain;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic:
      return MemoryOrder::kRelaxed;
    case llvm::AtomicOrdering::Acquire:
      return MemoryOrder::kAcquire;
    case llvm::AtomicOrdering::Release:
      return MemoryOrder::kRelease;
    case llvm::AtomicOrdering::AcquireRelease:
      return MemoryOrder::kAcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent:
      return MemoryOrder::kSeqCst;
  }
  return MemoryOrder::kPlain;
}

Function FunctionExtractor::run() {
  describe();
  number_blocks_and_variables();
  for (const llvm::BasicBlock& block : source_) {
    ops_ = &result_.blocks[block_ids_.at(&block)].ops;
    for (const llvm::Instruction& instruction : block) translate(instruction);
  }
  // Constants and addresses are there from the beginning.
  std::vector<Op>& entry = result_.blocks.front().ops;
  entry.insert(entry.begin(), std::make_move_iterator(prologue_.begin()),
               std::make_move_iterator(prologue_.end()));
  result_.values = next_value_;
  nodes_.finish(result_);
  return std::move(result_);
}

void FunctionExtractor::describe() {
  result_.symbol = unit_.symbol(&source_);
  result_.name = unit_.unit.symbols[result_.symbol].name;
  result_.is_variadic = source_.isVarArg();
  result_.parameters = static_cast<uint32_t>(source_.arg_size());
  result_.parameter_names.resize(result_.parameters);
  for (const llvm::Argument& argument : source_.args())
    if (argument.hasStructRetAttr()) result_.own_parameters.push_back(argument.getArgNo());
  if (const llvm::DISubprogram* described = source_.getSubprogram()) {
    result_.file = unit_.file_name(described->getFile());
    result_.line = described->getLine();
  }
  for (const llvm::Argument& argument : source_.args()) values_[&argument] = next_value_++;
}

void FunctionExtractor::number_blocks_and_variables() {
  uint32_t next = 0;
  for (const llvm::BasicBlock& block : source_) {
    block_ids_[&block] = next++;
    for (const llvm::Instruction& instruction : block) {
      if (!instruction.getType()->isVoidTy()) values_[&instruction] = next_value_++;
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare()) declare(record);
    }
  }
  result_.blocks.resize(next);
}

void FunctionExtractor::declare(const llvm::DbgVariableRecord& record) {
  const llvm::Value* address = record.getAddress();
  const llvm::DILocalVariable* variable = record.getVariable();
  if (address == nullptr || variable == nullptr) return;
  // A parameter passed by reference to a copy is described through the address of the copy.
  const bool is_indirect = record.getExpression()->getNumElements() > 0;
  variables_.try_emplace(address, variable);
  if (!is_indirect) pointees_.try_emplace(address, bare_type(variable->getType()));
  if (is_indirect && variable->getArg() != 0) copies_.insert(address);
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(address)) {
    name_parameter(argument, variable);
    own_parameter(argument);  // what is passed is the variable
  }
}

void FunctionExtractor::own_parameter(const llvm::Argument* argument) {
  std::vector<uint32_t>& own = result_.own_parameters;
  const auto at = std::lower_bound(own.begin(), own.end(), argument->getArgNo());
  if (at == own.end() || *at != argument->getArgNo()) own.insert(at, argument->getArgNo());
}

void FunctionExtractor::name_parameter(const llvm::Argument* argument,
                                       const llvm::DILocalVariable* variable) {
  std::string& name = result_.parameter_names[argument->getArgNo()];
  if (name.empty() && variable->getArg() != 0) name = variable->getName().str();
}

ValueId FunctionExtractor::value(const llvm::Value* from) {
  if (auto known = values_.find(from); known != values_.end()) return known->second;
  ValueId made = kNone;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(from))
    made = constant_value(constant);
  else  // metadata, blocks as values, assembly
    made = prologue({.kind = OpKind::kConstant});
  values_[from] = made;
  return made;
}

ValueId FunctionExtractor::constant_value(const llvm::Constant* constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant); number && number->getBitWidth() <= 64)
    return number_value(number->getBitWidth() == 1 ? static_cast<int64_t>(number->getZExtValue())
                                                   : number->getSExtValue());
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    const uint32_t symbol = unit_.symbol(global);
    auto [known, is_new] = symbol_values_.try_emplace(symbol, kNone);
    if (is_new) known->second = prologue({.kind = OpKind::kSymbol, .symbol = symbol});
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) note_type_of(variable);
    return known->second;
  }
  if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(constant)) return address(*gep, nullptr);
  if (constant->getNumOperands() == 0 || llvm::isa<llvm::BlockAddress>(constant)) return number_value(0);
  std::vector<ValueId> parts;
  for (const llvm::Use& part : constant->operands()) parts.push_back(value(part.get()));
  return prologue({.kind = OpKind::kCompute, .operands = std::move(parts)});
}

ValueId FunctionExtractor::number_value(int64_t number) {
  auto [known, is_new] = numbers_.try_emplace(number, kNone);
  if (is_new) known->second = prologue({.kind = OpKind::kConstant, .offset = number});
  return known->second;
}

ValueId FunctionExtractor::prologue(Op op) {
  op.result = next_value_++;
  prologue_.push_back(std::move(op));
  return prologue_.back().result;
}

void FunctionExtractor::note_type_of(const llvm::GlobalVariable* variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> descriptions;
  variable->getDebugInfo(descriptions);
  if (!descriptions.empty())
    pointees_.try_emplace(variable, bare_type(descriptions.front()->getVariable()->getType()));
}

const llvm::DIType* FunctionExtractor::pointee(const llvm::Value* of) const {
  auto known = pointees_.find(of);
  return known == pointees_.end() ? nullptr : known->second;
}

// Classes only, and in the project's own code: that is what others ask of, and there are many libraries.
void FunctionExtractor::note_pointee(Op& made, const llvm::Value* pointer, const llvm::DIType* type) {
  if (type == nullptr || !pointees_.try_emplace(pointer, type).second) return;
  if (made.vtable_slot == kNone && is_class(type) && !result_.file.starts_with('/'))
    made.type = unit_.types.index_of(type);
}

std::vector<ValueId> FunctionExtractor::all_operands(const llvm::User& user) {
  std::vector<ValueId> operands;
  for (const llvm::Use& operand : user.operands())
    if (!llvm::isa<llvm::BasicBlock>(operand.get())) operands.push_back(value(operand.get()));
  return operands;
}

Op& FunctionExtractor::add(const llvm::Instruction& instruction, Op op) {
  op.node = nodes_.of(instruction.getDebugLoc().get());
  if (auto result = values_.find(&instruction); result != values_.end()) op.result = result->second;
  ops_->push_back(std::move(op));
  return ops_->back();
}

void FunctionExtractor::translate(const llvm::Instruction& instruction) {
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return translate_local(*local);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return translate_load(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return translate_store(*store);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return translate_call(*call);
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    address(*llvm::cast<llvm::GEPOperator>(gep), gep);
    return;
  }
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(instruction, {.kind = OpKind::kUpdate,
                      .order = order_of(update->getOrdering(), false),
                      .operands = {value(update->getPointerOperand()), value(update->getValOperand())}});
    return;
  }
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(instruction, {.kind = OpKind::kUpdate,
                      .order = order_of(exchange->getMergedOrdering(), false),
                      .operands = {value(exchange->getPointerOperand()), value(exchange->getCompareOperand()),
                                   value(exchange->getNewValOperand())}});
    return;
  }
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    add(instruction, {.kind = OpKind::kFence, .order = order_of(fence->getOrdering(), false)});
    return;
  }
  if (instruction.isTerminator()) return translate_end(instruction);
  // What an exception brings is nothing that the function has computed.
  const bool is_from_outside = llvm::isa<llvm::LandingPadInst, llvm::VAArgInst>(instruction);
  Op& made =
      add(instruction, {.kind = is_from_outside ? OpKind::kUnknown : OpKind::kCompute,
                        .operands = llvm::isa<llvm::LandingPadInst>(instruction) ? std::vector<ValueId>{}
                                                                                 : all_operands(instruction),
                        .size = is_from_outside ? 0 : size_below_pointer(instruction.getType())});
  if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction))
    for (const llvm::Use& operand : instruction.operands())
      note_pointee(made, &instruction, pointee(operand.get()));
}

uint64_t FunctionExtractor::size_below_pointer(llvm::Type* type) const {
  if (!type->isIntegerTy() && !type->isFloatingPointTy()) return 0;
  const uint64_t size = layout_.getTypeStoreSize(type).getFixedValue();
  return size < layout_.getPointerSize() ? size : 0;
}

void FunctionExtractor::translate_local(const llvm::AllocaInst& local) {
  Op op{.kind = OpKind::kLocal};
  if (std::optional<llvm::TypeSize> size = local.getAllocationSize(layout_); size && !size->isScalable())
    op.size = size->getFixedValue();
  if (auto variable = variables_.find(&local); variable != variables_.end()) {
    op.name = variable->second->getName().str();
    op.type = unit_.types.index_of(variable->second->getType());
  }
  add(local, std::move(op));
}

void FunctionExtractor::translate_load(const llvm::LoadInst& load) {
  const ValueId from = value(load.getPointerOperand());
  Op& made = add(load, {.kind = OpKind::kLoad,
                        .order = order_of(load.getOrdering(), load.isVolatile()),
                        .operands = {from},
                        .size = layout_.getTypeStoreSize(load.getType()).getKnownMinValue()});
  if (!load.getType()->isPointerTy()) return;
  if (const llvm::DIType* pointer = leading_pointer(pointee(load.getPointerOperand())))
    note_pointee(made, &load, pointee_type(pointer));
}

void FunctionExtractor::translate_store(const llvm::StoreInst& store) {
  add(store, {.kind = OpKind::kStore,
              .order = order_of(store.getOrdering(), store.isVolatile()),
              .operands = {value(store.getPointerOperand()), value(store.getValueOperand())},
              .size = layout_.getTypeStoreSize(store.getValueOperand()->getType()).getKnownMinValue()});
  const llvm::Value* stored = store.getValueOperand();
  if (const auto* widened = llvm::dyn_cast<llvm::CastInst>(stored)) stored = widened->getOperand(0);  // bool
  const auto* argument = llvm::dyn_cast<llvm::Argument>(stored);
  if (argument == nullptr) return;
  const llvm::Value* to = store.getPointerOperand()->stripInBoundsOffsets();
  const auto variable = variables_.find(to);
  if (variable == variables_.end()) return;
  name_parameter(argument, variable->second);
  if (copies_.contains(to)) own_parameter(argument);
}

// Fields by their offset, elements by what selects them; `instruction` is null for constants.
ValueId FunctionExtractor::address(const llvm::GEPOperator& gep, const llvm::GetElementPtrInst* instruction) {
  const llvm::Value* base = gep.getPointerOperand();
  ValueId current = value(base);
  const llvm::DIType* type = pointee(base);
  std::vector<Op> steps;
  bool is_first = true;
  for (auto index = llvm::gep_type_begin(gep); index != llvm::gep_type_end(gep); ++index, is_first = false) {
    if (llvm::StructType* structure = index.getStructTypeOrNull()) {
      const auto field =
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index.getOperand())->getZExtValue());
      take_field(
          steps, current, type,
          static_cast<int64_t>(layout_.getStructLayout(structure)->getElementOffset(field).getFixedValue()));
      continue;
    }
    const auto stride = index.getSequentialElementStride(layout_).getKnownMinValue();
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(index.getOperand());
    if (number != nullptr && number->isZero() && is_first) continue;
    // Conversions between a class and its bases are steps of bytes.
    if (number != nullptr && stride == 1 && is_first && is_class(type)) {
      take_field(steps, current, type, number->getSExtValue());
      continue;
    }
    if (!is_first) type = part_of_type(type, 0);
    steps.push_back(
        {.kind = OpKind::kElement, .operands = {current, value(index.getOperand())}, .size = stride});
    current = kNone;  // the result of the step before
  }
  if (steps.empty()) steps.push_back({.kind = OpKind::kOffset, .operands = {current}});
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool is_last = i + 1 == steps.size();
    if (i > 0) steps[i].operands[0] = current;
    if (instruction == nullptr) {
      current = prologue(std::move(steps[i]));
    } else if (is_last) {
      current = add(*instruction, std::move(steps[i])).result;
    } else {
      steps[i].result = current = next_value_++;
      steps[i].node = nodes_.of(instruction->getDebugLoc().get());
      ops_->push_back(std::move(steps[i]));
    }
  }
  if (type != nullptr) pointees_.try_emplace(&gep, type);
  return current;
}

void FunctionExtractor::take_field(std::vector<Op>& steps, ValueId& current, const llvm::DIType*& type,
                                   int64_t offset) {
  steps.push_back(
      {.kind = OpKind::kOffset, .operands = {current}, .type = unit_.types.index_of(type), .offset = offset});
  type = offset >= 0 ? part_of_type(type, static_cast<uint64_t>(offset)) : nullptr;
  current = kNone;
}

void FunctionExtractor::translate_end(const llvm::Instruction& end) {
  std::vector<Edge>& edges = result_.blocks[block_ids_.at(end.getParent())].edges;
  if (llvm::isa<llvm::ReturnInst>(end)) {
    add(end, {.kind = OpKind::kReturn, .operands = all_operands(end)});
  } else if (llvm::isa<llvm::ResumeInst>(end)) {
    add(end, {.kind = OpKind::kThrow, .operands = all_operands(end)});
  } else if (llvm::isa<llvm::UnreachableInst>(end)) {
    return;
  } else if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    Op op{.kind = OpKind::kBranch};
    if (branch->isConditional()) op.operands.push_back(value(branch->getCondition()));
    add(end, std::move(op));
    edges.push_back(
        {.to = block_ids_.at(branch->getSuccessor(0)), .label = branch->isConditional() ? "true" : ""});
    if (branch->isConditional())
      edges.push_back({.to = block_ids_.at(branch->getSuccessor(1)), .label = "false"});
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
    add(end, {.kind = OpKind::kBranch, .operands = {value(choice->getCondition())}});
    for (const auto& option : choice->cases()) {
      llvm::SmallString<24> number;
      option.getCaseValue()->getValue().toStringSigned(number);
      edges.push_back(
          {.to = block_ids_.at(option.getCaseSuccessor()), .label = "case " + number.str().str()});
    }
    edges.push_back({.to = block_ids_.at(choice->getDefaultDest()), .label = "default"});
  } else {
    const bool decides = llvm::isa<llvm::IndirectBrInst>(end);
    add(end, {.kind = decides ? OpKind::kBranch : OpKind::kUnknown, .operands = all_operands(end)});
    add_all_edges(end);
  }
}

void FunctionExtractor::add_all_edges(const llvm::Instruction& end) {
  std::vector<Edge>& edges = result_.blocks[block_ids_.at(end.getParent())].edges;
  for (unsigned i = 0; i < end.getNumSuccessors(); ++i)
    edges.push_back({.to = block_ids_.at(end.getSuccessor(i)),
                     .label = end.getNumSuccessors() == 1 ? "" : fmt::format("target {}", i)});
}

Function extract_function(UnitBuilder& unit, const llvm::Function& source) {
  return FunctionExtractor(unit, source).run();
}

}  // namespace heddle::program
