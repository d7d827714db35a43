// FunctionExtractor: one function of bitcode on its way to facts. Private to the extraction: LLVM types here.
//
// extract_function.cpp has the main loop, values and operations; extract_calls.cpp has calls.
#pragma once

#include <map>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "program/extract_nodes.h"
#include "program/extract_unit.h"

namespace heddle::program {

class FunctionExtractor {
 public:
  FunctionExtractor(UnitBuilder& unit, const llvm::Function& source)
      : unit_(unit), source_(source), layout_(unit.module.getDataLayout()), nodes_(unit) {}

  Function run();

 private:
  void describe();
  void number_blocks_and_variables();
  void declare(const llvm::DbgVariableRecord& record);
  void name_parameter(const llvm::Argument* argument, const llvm::DILocalVariable* variable);
  void own_parameter(const llvm::Argument* argument);

  // --- values
  ValueId value(const llvm::Value* from);
  ValueId constant_value(const llvm::Constant* constant);
  ValueId number_value(int64_t number);
  ValueId prologue(Op op);
  void note_type_of(const llvm::GlobalVariable* variable);
  const llvm::DIType* pointee(const llvm::Value* of) const;
  // `made` gives `pointer`, which points to a `type`.
  void note_pointee(Op& made, const llvm::Value* pointer, const llvm::DIType* type);
  std::vector<ValueId> all_operands(const llvm::User& user);

  // --- operations
  Op& add(const llvm::Instruction& instruction, Op op);
  void translate(const llvm::Instruction& instruction);
  uint64_t size_below_pointer(llvm::Type* type) const;
  void translate_local(const llvm::AllocaInst& local);
  void translate_load(const llvm::LoadInst& load);
  void translate_store(const llvm::StoreInst& store);
  ValueId address(const llvm::GEPOperator& gep, const llvm::GetElementPtrInst* instruction);
  void take_field(std::vector<Op>& steps, ValueId& current, const llvm::DIType*& type, int64_t offset);

  // --- calls
  void translate_call(const llvm::CallBase& call);
  std::vector<ValueId> arguments(const llvm::CallBase& call);
  void copy_arguments(const llvm::CallBase& call, Op& op);
  void find_virtual(const llvm::CallBase& call, const llvm::Value* callee, Op& op);
  void note_result(Op& made, const llvm::CallBase& call, const llvm::Function& callee);
  void translate_intrinsic(const llvm::IntrinsicInst& call);
  static uint64_t constant_size(const llvm::Value* length);

  // --- ends of blocks
  void translate_end(const llvm::Instruction& end);
  void add_all_edges(const llvm::Instruction& end);

  UnitBuilder& unit_;
  const llvm::Function& source_;
  const llvm::DataLayout& layout_;
  NodeTable nodes_;
  Function result_;
  std::vector<Op> prologue_;
  std::vector<Op>* ops_ = nullptr;
  ValueId next_value_ = 0;
  llvm::DenseMap<const llvm::Value*, ValueId> values_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> block_ids_;
  llvm::DenseMap<const llvm::Value*, const llvm::DILocalVariable*> variables_;
  llvm::DenseSet<const llvm::Value*> copies_;  // variables that point to a copy of what is passed
  // What a pointer points to, as far as the debug information tells.
  llvm::DenseMap<const llvm::Value*, const llvm::DIType*> pointees_;
  std::map<int64_t, ValueId> numbers_;
  std::map<uint32_t, ValueId> symbol_values_;
};

// Of an access or fence, as facts have it.
MemoryOrder order_of(llvm::AtomicOrdering ordering, bool is_volatile);

}  // namespace heddle::program
