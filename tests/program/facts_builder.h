// Facts by hand: a unit with its functions, in few words.
//
//   UnitFacts unit;
//   auto g = unit.global("g", 4);
//   FunctionBuilder f(unit, "f", 1);
//   f.node("g = p");
//   f.store(f.symbol(g), f.parameter(0));
//   f.ret();
//   Program program = unit.program();
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"

namespace heddle::program {

class UnitFacts {
 public:
  uint32_t function(const std::string& name) {
    for (uint32_t s = 0; s < unit_.symbols.size(); ++s) {
      if (unit_.symbols[s].linkage_name == name) return s;
    }
    Symbol symbol;
    symbol.linkage_name = symbol.name = name;
    symbol.is_function = true;
    unit_.symbols.push_back(symbol);
    return static_cast<uint32_t>(unit_.symbols.size() - 1);
  }
  uint32_t global(const std::string& name, uint64_t size = 8, std::vector<uint32_t> pointers = {}) {
    Symbol symbol;
    symbol.linkage_name = symbol.name = name;
    symbol.is_defined = true;
    symbol.size = size;
    symbol.initial_pointers = std::move(pointers);
    unit_.symbols.push_back(symbol);
    return static_cast<uint32_t>(unit_.symbols.size() - 1);
  }
  uint32_t add_class(const std::string& name, std::vector<uint32_t> bases, std::vector<uint32_t> vtable) {
    Type type;
    type.name = name;
    type.bases = std::move(bases);
    type.vtable = std::move(vtable);
    unit_.types.push_back(type);
    return static_cast<uint32_t>(unit_.types.size() - 1);
  }
  Unit& unit() { return unit_; }
  Program program() { return Program({unit_}); }

 private:
  Unit unit_;
};

class FunctionBuilder {
 public:
  // Appended to the unit when the builder goes, or by done().
  FunctionBuilder(UnitFacts& unit, const std::string& name, uint32_t parameters = 0) : unit_(unit) {
    function_.symbol = unit.function(name);
    unit.unit().symbols[function_.symbol].is_defined = true;
    function_.name = name;
    function_.parameters = function_.values = parameters;
    function_.blocks.resize(1);
  }
  ~FunctionBuilder() { done(); }
  FunctionBuilder(const FunctionBuilder&) = delete;

  void done() {
    if (!is_done_) unit_.unit().functions.push_back(function_);
    is_done_ = true;
  }

  // Operations from here on belong to a new statement.
  uint32_t node(const std::string& text = "") {
    Node made;
    made.text = made.normal = text;
    return node(std::move(made));
  }
  uint32_t node(Node made) {
    function_.nodes.push_back(std::move(made));
    return node_ = static_cast<uint32_t>(function_.nodes.size() - 1);
  }
  void in_node(uint32_t node) { node_ = node; }

  uint32_t block() {
    function_.blocks.emplace_back();
    return static_cast<uint32_t>(function_.blocks.size() - 1);
  }
  void at(uint32_t block) { block_ = block; }
  uint32_t current_block() const { return block_; }

  ValueId parameter(uint32_t index) const { return index; }
  ValueId constant(int64_t value = 0) {
    return emit({.kind = OpKind::kConstant, .operands = {}, .offset = value}, true);
  }
  ValueId symbol(uint32_t symbol) {
    return emit({.kind = OpKind::kSymbol, .operands = {}, .symbol = symbol}, true);
  }
  ValueId local(uint64_t size = 8, const std::string& name = "") {
    return emit({.kind = OpKind::kLocal, .operands = {}, .size = size, .name = name}, true);
  }
  ValueId compute(std::vector<ValueId> operands) {
    return emit({.kind = OpKind::kCompute, .operands = std::move(operands)}, true);
  }
  ValueId offset(ValueId base, int64_t bytes) {
    return emit({.kind = OpKind::kOffset, .operands = {base}, .offset = bytes}, true);
  }
  ValueId element(ValueId base, ValueId index, uint64_t stride) {
    return emit({.kind = OpKind::kElement, .operands = {base, index}, .size = stride}, true);
  }
  ValueId load(ValueId address, uint64_t size = 8) {
    return emit({.kind = OpKind::kLoad, .operands = {address}, .size = size}, true);
  }
  void store(ValueId address, ValueId value, uint64_t size = 8) {
    emit({.kind = OpKind::kStore, .operands = {address, value}, .size = size}, false);
  }
  ValueId update(ValueId address, ValueId value, uint64_t size = 8) {
    return emit({.kind = OpKind::kUpdate, .operands = {address, value}, .size = size}, true);
  }
  void copy(ValueId to, ValueId from, uint64_t size) {
    emit({.kind = OpKind::kCopy, .operands = {to, from}, .size = size}, false);
  }
  void fill(ValueId to, ValueId value, uint64_t size) {
    emit({.kind = OpKind::kFill, .operands = {to, value}, .size = size}, false);
  }
  ValueId call(const std::string& name, std::vector<ValueId> operands = {}) {
    const uint32_t symbol = unit_.function(name);
    return emit({.kind = OpKind::kCall, .operands = std::move(operands), .symbol = symbol}, true);
  }
  ValueId call_value(ValueId callee, std::vector<ValueId> operands = {}) {
    return emit({.kind = OpKind::kCall, .operands = std::move(operands), .callee = callee}, true);
  }
  ValueId call_virtual(ValueId callee, uint32_t type, uint32_t slot, std::vector<ValueId> operands) {
    return emit({.kind = OpKind::kCall,
                 .operands = std::move(operands),
                 .callee = callee,
                 .vtable_slot = slot,
                 .type = type},
                true);
  }
  void ret() { emit({.kind = OpKind::kReturn, .operands = {}}, false); }
  void ret(ValueId value) { emit({.kind = OpKind::kReturn, .operands = {value}}, false); }
  void raise(ValueId value) { emit({.kind = OpKind::kThrow, .operands = {value}}, false); }

  void jump(uint32_t to) { function_.blocks[block_].edges = {{to, "", false}}; }
  void branch(ValueId condition, uint32_t if_true, uint32_t if_false) {
    emit({.kind = OpKind::kBranch, .operands = {condition}}, false);
    function_.blocks[block_].edges = {{if_true, "true", false}, {if_false, "false", false}};
  }
  void edge(uint32_t to, const std::string& label, bool exceptional = false) {
    function_.blocks[block_].edges.push_back({to, label, exceptional});
  }
  // Where the last operation is.
  std::pair<uint32_t, uint32_t> last() const {
    return {block_, static_cast<uint32_t>(function_.blocks[block_].ops.size() - 1)};
  }
  Function& function() { return function_; }

 private:
  ValueId emit(Op op, bool has_result) {
    op.node = node_;
    if (has_result) op.result = function_.values++;
    function_.blocks[block_].ops.push_back(op);
    return op.result;
  }

  UnitFacts& unit_;
  Function function_;
  uint32_t block_ = 0;
  uint32_t node_ = kNone;
  bool is_done_ = false;
};

}  // namespace heddle::program
