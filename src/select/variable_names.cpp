#include "select/variable_names.h"

#include <algorithm>

namespace heddle::select {

using program::Op;
using program::OpKind;
using program::ValueId;

namespace {

// Deeper chains of pointers say no more.
constexpr int kMaxDepth = 8;

// "Queue::size_", of the class that declares it.
std::string field_name(const program::Unit& unit, uint32_t type, int64_t offset, int depth) {
  if (type == kNone || offset < 0 || depth > kMaxDepth) return "";
  const program::Type& of = unit.types[type];
  for (const program::Field& field : of.fields) {
    const auto at = static_cast<uint64_t>(offset);
    if (at < field.offset || (at >= field.offset + field.size && at != field.offset)) continue;
    if (field.name.empty()) {
      std::string inherited =
          field_name(unit, field.type, offset - static_cast<int64_t>(field.offset), depth + 1);
      if (!inherited.empty()) return inherited;
    } else if (at == field.offset) {
      return of.name + "::" + field.name;
    }
  }
  return "";
}

}  // namespace

VariableNames::VariableNames(const program::Program& program, program::FunctionIndex function)
    : unit_(program.unit_of(function)), function_(program.function(function)), made_by_(function_.values) {
  for (const program::Block& block : function_.blocks) {
    for (const Op& op : block.ops) {
      if (op.result != kNone) made_by_[op.result] = &op;
      if (op.kind == OpKind::kStore && op.operands[1] < function_.parameters)
        parameters_.emplace_back(op.operands[0], op.operands[1]);
    }
  }
}

const Op* VariableNames::made_by(ValueId value) const {
  return value < made_by_.size() ? made_by_[value] : nullptr;
}

bool VariableNames::is_parameter(ValueId local, uint32_t parameter) const {
  return std::find(parameters_.begin(), parameters_.end(), std::pair(local, parameter)) != parameters_.end();
}

std::string VariableNames::name_of(ValueId address) const {
  std::string name = name_of(address, 0);
  return name.empty() ? "memory" : name;
}

std::string VariableNames::name_of(ValueId address, int depth) const {
  if (depth > kMaxDepth) return "";
  if (address < function_.parameters) {
    const bool has_name =
        address < function_.parameter_names.size() && !function_.parameter_names[address].empty();
    return has_name ? "*" + function_.parameter_names[address] : "";
  }
  const Op* op = made_by(address);
  if (op == nullptr) return "";
  switch (op->kind) {
    case OpKind::kSymbol:
      return unit_.symbols[op->symbol].name;
    case OpKind::kLocal:
      for (const auto& [local, parameter] : parameters_)
        if (local == address && op->name.empty() && parameter < function_.parameter_names.size())
          return function_.parameter_names[parameter];
      return op->name;
    case OpKind::kOffset: {
      std::string field = field_name(unit_, op->type, op->offset, 0);
      return field.empty() ? name_of(op->operands[0], depth + 1) : field;
    }
    case OpKind::kElement: {
      const std::string array = name_of(op->operands[0], depth + 1);
      return array.empty() || array.ends_with("[]") ? array : array + "[]";
    }
    case OpKind::kLoad: {
      // What a pointer points to: an element, if the pointer is one of a table.
      const std::string pointer = name_of(op->operands[0], depth + 1);
      return pointer.empty() || pointer == "this" ? pointer : "*" + pointer;
    }
    case OpKind::kCompute:
      return op->operands.empty() ? "" : name_of(op->operands[0], depth + 1);
    case OpKind::kCall: {
      if (op->operands.empty()) return "";
      const std::string of = name_of(op->operands[0], depth + 1);
      return of.empty() || of.ends_with("[]") ? of : of + "[]";
    }
    default:
      return "";
  }
}

bool VariableNames::is_in_this(ValueId address) const {
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    if (address == 0 && function_.parameters > 0) return true;
    const Op* op = made_by(address);
    if (op == nullptr || op->operands.empty()) return false;
    if (op->kind == OpKind::kLoad) return is_parameter(op->operands[0], 0);
    if (op->kind != OpKind::kOffset && op->kind != OpKind::kElement) return false;
    address = op->operands[0];
  }
  return false;
}

}  // namespace heddle::select
