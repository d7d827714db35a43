#include "select/access_paths.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "program/ordering_names.h"
#include "select/shared_variable.h"

namespace heddle::select {

using program::Op;
using program::OpKind;
using program::ValueId;

namespace {

// Deeper chains of pointers say no more.
constexpr int kMaxDepth = 10;
// An object with more fields than these is taken for the first of them.
constexpr size_t kMaxFields = 64;

std::string inherited_field_name(const program::Program& program, const program::Unit& unit, uint32_t type,
                                 int64_t offset, int depth) {
  if (type == kNone || offset < 0 || depth > kMaxDepth) return "";
  const program::Program::ClassType complete = program.complete_type(unit, type);
  const program::Type& of = *complete.type;
  for (const program::Field& field : of.fields) {
    const auto at = static_cast<uint64_t>(offset);
    if (at < field.offset || (at >= field.offset + field.size && at != field.offset)) continue;
    if (field.name.empty()) {
      std::string inherited = inherited_field_name(program, *complete.unit, field.type,
                                                   offset - static_cast<int64_t>(field.offset), depth + 1);
      if (!inherited.empty()) return inherited;
    } else if (at == field.offset) {
      return of.name + "::" + field.name;
    }
  }
  return "";
}

Path contents_of(const Path& path) {
  return path.is_known() ? Path{"[]", path.text(), false} : Path{};
}

// Functions that give back what they are given.
bool is_identity(const std::string& name) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "std::move",     "std::forward", "std::addressof", "std::__addressof", "std::move_if_noexcept",
      "std::as_const", "std::launder", "std::get"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// Functions of the standard library whose result, or what they construct, may refer to what they are given.
bool keeps_references(const std::string& name) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "std::ref",  "std::cref",       "std::tie",         "std::forward_as_tuple",
      "std::bind", "std::bind_front", "std::make_shared", "std::make_unique"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// What a lambda has captured by reference is the variable of the function around it:
// "main::(unnamed)::total".
std::optional<std::string> captured_variable(const std::string& field) {
  static constexpr std::string_view kClosure = "::(unnamed)::";
  const size_t at = field.rfind(kClosure);
  if (at == std::string::npos) return std::nullopt;
  return "local " + field.substr(0, at) + "::" + field.substr(at + kClosure.size());
}

bool is_own(const program::Function& function, size_t parameter) {
  return std::binary_search(function.own_parameters.begin(), function.own_parameters.end(), parameter);
}

}  // namespace

std::string field_name(const program::Program& program, const program::Unit& unit, uint32_t type,
                       int64_t offset) {
  return inherited_field_name(program, unit, type, offset, 0);
}

AccessPaths::AccessPaths(const program::Program& program, program::FunctionIndex function)
    : program_(program),
      unit_(program.unit_of(function)),
      function_(program.function(function)),
      made_by_(function_.values),
      stored_(function_.values),
      exposed_(function_.values),
      uses_(function_.values) {
  for (const program::Block& block : function_.blocks)
    for (const Op& op : block.ops) {
      if (op.result != kNone) made_by_[op.result] = &op;
      for (const ValueId operand : op.operands) ++uses_[operand];
    }
  for (const program::Block& block : function_.blocks) {
    for (const Op& op : block.ops) {
      if (op.kind != OpKind::kStore) continue;
      // Of a variable with fields, the first: an iterator is its pointer.
      ValueId to = op.operands[0];
      if (const Op* made = made_by(to); made != nullptr && made->kind == OpKind::kOffset && made->offset == 0)
        to = made->operands[0];
      if (const Op* made = made_by(to); made != nullptr && made->kind == OpKind::kLocal)
        stored_[to].push_back(op.operands[1]);
    }
  }
  find_exposed();
}

void AccessPaths::find_exposed() {
  const auto expose = [&](ValueId value) {
    if (const std::optional<ValueId> local = local_of(value)) exposed_[*local] = true;
  };
  for (const program::Block& block : function_.blocks) {
    for (const Op& op : block.ops) {
      if (op.kind == OpKind::kStore && !notes_parameter(op)) expose(op.operands[1]);
      if (op.kind == OpKind::kReturn || op.kind == OpKind::kThrow)
        for (const ValueId operand : op.operands) expose(operand);
      if (op.kind == OpKind::kCall && !is_of_a_library(op))
        for (size_t i = 0; i < op.operands.size(); ++i)
          if (!gives_away(op, i)) expose(op.operands[i]);
    }
  }
}

bool AccessPaths::is_of_a_library(const Op& call) const {
  if (call.symbol == kNone) return false;
  if (program::is_ordering_operation(unit_.symbols[call.symbol])) return false;  // it may start a thread
  if (keeps_references(unit_.symbols[call.symbol].name)) return false;
  const program::FunctionIndex callee = program_.definition(unit_, call.symbol);
  return callee == kNone || select::is_of_a_library(program_.function(callee));
}

// At its beginning, a function notes where what it was given by value lies, and where to construct what it
// returns.
bool AccessPaths::notes_parameter(const Op& store) const {
  const ValueId parameter = store.operands[1];
  const Op* to = made_by(store.operands[0]);
  return is_own(function_, parameter) && to != nullptr && to->kind == OpKind::kLocal &&
         uses_[to->result] == 1;
}

// Whether it is the object that the call returns, or one that it is given by value.
bool AccessPaths::gives_away(const Op& call, size_t operand) const {
  if (call.symbol == kNone) return false;
  const program::FunctionIndex callee = program_.definition(unit_, call.symbol);
  return callee != kNone && is_own(program_.function(callee), operand);
}

bool AccessPaths::is_constant(ValueId address) const {
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    const Op* op = made_by(address);
    if (op == nullptr) return false;
    if (op->kind == OpKind::kSymbol) return unit_.symbols[op->symbol].is_constant;
    if (op->kind == OpKind::kConstant) return true;
    if (op->kind != OpKind::kOffset && op->kind != OpKind::kElement) return false;
    address = op->operands[0];
  }
  return false;
}

bool AccessPaths::is_private(ValueId address) const {
  if (is_constant(address)) return true;
  const std::optional<ValueId> local = local_of(address);
  return local && !exposed_[*local];
}

const Op* AccessPaths::made_by(ValueId value) const {
  return value < made_by_.size() ? made_by_[value] : nullptr;
}

std::optional<uint32_t> AccessPaths::parameter_in(ValueId local) const {
  for (const ValueId value : stored_[local])
    if (value < function_.parameters) return value;
  return std::nullopt;
}

Path AccessPaths::of(ValueId address) const {
  return of(address, 0);
}

Path AccessPaths::of(ValueId address, int depth) const {
  const Op* op = made_by(address);
  if (depth > kMaxDepth || op == nullptr) return {};
  switch (op->kind) {
    case OpKind::kSymbol:
      return {unit_.symbols[op->symbol].name, "", true};
    case OpKind::kLocal: {
      std::string name = op->name;
      if (const auto parameter = parameter_in(address); name.empty() && parameter)
        name = *parameter < function_.parameter_names.size() ? function_.parameter_names[*parameter] : "";
      return {"local " + function_.name + "::" + name, "", true};
    }
    case OpKind::kOffset: {
      const Path base = of(op->operands[0], depth + 1);
      std::string field = field_name(program_, unit_, op->type, op->offset);
      if (!field.empty()) return {std::move(field), base.is_embedded ? base.text() : "", true};
      if (op->offset == 0 || !base.is_known()) return base;
      return {base.leaf + "+" + std::to_string(op->offset), base.root, base.is_embedded};
    }
    case OpKind::kElement: {
      const Path array = of(op->operands[0], depth + 1);
      return array.is_contents() ? array : contents_of(array);
    }
    case OpKind::kLoad:
      return of_loaded(*op, depth);
    case OpKind::kCall:
      return of_result(*op, depth);
    case OpKind::kCompute:
      return op->operands.size() == 1 ? of(op->operands[0], depth + 1) : Path{};
    default:
      return {};
  }
}

Path AccessPaths::of_loaded(const Op& load, int depth) const {
  const Op* from = made_by(load.operands[0]);
  if (from != nullptr && from->kind == OpKind::kLocal) return held_by(from->result, depth + 1);
  const Path pointer = of(load.operands[0], depth + 1);
  if (std::optional<std::string> variable = captured_variable(pointer.leaf))
    return {std::move(*variable), "", true};
  return contents_of(pointer);
}

Path AccessPaths::held_by(ValueId local, int depth) const {
  if (depth > kMaxDepth || parameter_in(local)) return {};
  std::optional<Path> held;
  for (const ValueId value : stored_[local]) {
    Path path = of(value, depth + 1);
    if (held && *held != path) return {};
    held = std::move(path);
  }
  return held.value_or(Path{});
}

Path AccessPaths::of_result(const Op& call, int depth) const {
  if (call.operands.empty() || call.symbol == kNone) return {};
  if (is_identity(unit_.symbols[call.symbol].name)) return of(call.operands[0], depth + 1);
  if (!is_of_a_library(call)) return {};
  const Op* receiver = made_by(call.operands[0]);
  if (receiver != nullptr && receiver->kind == OpKind::kLocal) {
    // An iterator or a smart pointer in a variable.
    Path held = held_by(receiver->result, depth + 1);
    if (held.is_known()) return held;
  }
  const Path path = of(call.operands[0], depth + 1);
  return path.is_contents() ? path : contents_of(path);
}

std::optional<ValueId> AccessPaths::local_of(ValueId address) const {
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    const Op* op = made_by(address);
    if (is_own(function_, address)) return address;
    if (op == nullptr) return std::nullopt;
    if (op->kind == OpKind::kLocal) return address;
    const bool is_same = op->kind == OpKind::kCall && op->symbol != kNone && !op->operands.empty() &&
                         is_identity(unit_.symbols[op->symbol].name) &&
                         unit_.symbols[op->symbol].name != "std::get";  // of a tuple of references
    if (op->kind != OpKind::kOffset && op->kind != OpKind::kElement && !is_same) return std::nullopt;
    address = op->operands[0];
  }
  return std::nullopt;
}

std::optional<program::Program::ClassType> AccessPaths::class_at(ValueId address, int depth) const {
  const Op* op = made_by(address);
  if (depth > kMaxDepth || op == nullptr) return std::nullopt;
  switch (op->kind) {
    case OpKind::kSymbol:
      if (unit_.symbols[op->symbol].type == kNone) return std::nullopt;
      return program_.complete_type(unit_, unit_.symbols[op->symbol].type);
    case OpKind::kElement:
      return class_at(op->operands[0], depth + 1);
    case OpKind::kOffset: {
      if (op->type == kNone) return std::nullopt;
      const program::Program::ClassType around = program_.complete_type(unit_, op->type);
      for (const program::Field& field : around.type->fields)
        if (field.type != kNone && !field.name.empty() && static_cast<int64_t>(field.offset) == op->offset)
          return program_.complete_type(*around.unit, field.type);
      return std::nullopt;
    }
    default:
      if (op->type == kNone || op->vtable_slot != kNone) return std::nullopt;
      return program_.complete_type(unit_, op->type);
  }
}

void AccessPaths::add_fields(const program::Program::ClassType& of, const std::string& root, int depth,
                             std::vector<Path>& fields) const {
  for (const program::Field& field : of.type->fields) {
    if (depth > kMaxDepth || fields.size() >= kMaxFields) return;
    const std::string name = field.name.empty() ? "" : of.type->name + "::" + field.name;
    if (!name.empty()) fields.push_back({name, root, true});
    if (field.type != kNone)
      add_fields(program_.complete_type(*of.unit, field.type), name.empty() ? root : name, depth + 1, fields);
  }
}

std::vector<Path> AccessPaths::fields_of_object(ValueId address, uint64_t size) const {
  std::vector<Path> fields;
  auto object = class_at(address, 0);
  if (!object || size == 0) return fields;
  const Path path = of(address, 0);
  std::string root = path.is_embedded ? path.text() : "";
  // The first field has the address of what it is in.
  while (object->type->size > size) {
    const auto& all = object->type->fields;
    const auto first = std::find_if(all.begin(), all.end(), [&](const program::Field& field) {
      return field.offset == 0 && field.size >= size && field.type != kNone;
    });
    if (first == all.end()) return fields;
    if (!first->name.empty()) root = object->type->name + "::" + first->name;
    object = program_.complete_type(*object->unit, first->type);
  }
  if (object->type->size == size) add_fields(*object, root, 0, fields);
  return fields;
}

bool AccessPaths::is_in_this(ValueId address) const {
  for (int depth = 0; depth <= kMaxDepth; ++depth) {
    if (address == 0 && function_.parameters > 0) return true;
    const Op* op = made_by(address);
    if (op == nullptr || op->operands.empty()) return false;
    if (op->kind == OpKind::kLoad) {
      const Op* from = made_by(op->operands[0]);
      return from != nullptr && from->kind == OpKind::kLocal && parameter_in(from->result) == 0u;
    }
    if (op->kind != OpKind::kOffset && op->kind != OpKind::kElement) return false;
    address = op->operands[0];
  }
  return false;
}

bool is_of_a_library(const program::Function& function) {
  return function.file.empty() || function.file.starts_with('/');
}

std::string short_name(const std::string& qualified) {
  std::string plain;
  int depth = 0;
  for (const char c : qualified) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  if (plain.starts_with("local "))
    return plain.substr(plain.rfind(':') == std::string::npos ? 6 : plain.rfind(':') + 1);
  const size_t last = plain.rfind("::");
  if (last == std::string::npos || last == 0) return plain;
  const size_t before = plain.rfind("::", last - 1);
  return before == std::string::npos ? plain : plain.substr(before + 2);
}

}  // namespace heddle::select
