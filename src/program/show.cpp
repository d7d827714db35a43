#include "program/show.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::program {
namespace {

// Deeper chains of pointers are cut: they say no more.
constexpr int kMaxDepth = 12;

class Describer {
 public:
  Describer(const Program& program, FunctionIndex index)
      : unit_(program.unit_of(index)),
        function_(program.function(index)),
        made_by_(function_.values, nullptr) {
    for (const Block& block : function_.blocks)
      for (const Op& op : block.ops) {
        if (op.result != kNone) made_by_[op.result] = &op;
        // Parameters live in variables of their own, where they are stored first.
        if (op.kind == OpKind::kStore && op.operands[1] < function_.parameters)
          stored_parameters_.emplace_back(op.operands[0], op.operands[1]);
      }
  }

  // The variable at the address.
  std::string place(ValueId address, int depth = 0) const {
    const Op* op = made_by(address);
    if (depth > kMaxDepth) return "…";
    if (op == nullptr) return "*" + value(address, depth + 1);
    switch (op->kind) {
      case OpKind::kSymbol:
        return unit_.symbols[op->symbol].name;
      case OpKind::kLocal:
        return local_name(*op);
      case OpKind::kOffset:
        return member(*op, depth);
      case OpKind::kElement:
        return fmt::format("{}[{}]", through(op->operands[0], depth, ""), index_text(*op));
      default:
        return "*" + value(address, depth + 1);
    }
  }

  // An expression for the value.
  std::string value(ValueId id, int depth = 0) const {
    if (id < function_.parameters) {
      const std::string& name =
          id < function_.parameter_names.size() ? function_.parameter_names[id] : function_.name;
      return name.empty() ? fmt::format("parameter {}", id + 1) : name;
    }
    const Op* op = made_by(id);
    if (op == nullptr || depth > kMaxDepth) return "…";
    switch (op->kind) {
      case OpKind::kConstant:
        return fmt::format("{}", op->offset);
      case OpKind::kSymbol:
      case OpKind::kLocal:
      case OpKind::kElement:
        return "&" + place(id, depth);
      case OpKind::kOffset:
        return "&" + place(id, depth);
      case OpKind::kLoad:
        return place(op->operands[0], depth + 1);
      case OpKind::kCall:
        return callee(*op, depth + 1) + "()";
      case OpKind::kCompute:
        return op->operands.size() == 1 ? value(op->operands[0], depth + 1) : "…";
      default:
        return "…";
    }
  }

  std::string callee(const Op& op, int depth = 0) const {
    if (op.symbol != kNone) return unit_.symbols[op.symbol].name;
    if (op.vtable_slot == kNone) return value(op.callee, depth);
    const std::string type = op.type == kNone ? "…" : unit_.types[op.type].name;
    return fmt::format("virtual {}, slot {}", type, op.vtable_slot);
  }

  // Whether it can only be a variable of the function itself.
  bool is_own(ValueId address) const {
    for (int depth = 0; depth <= kMaxDepth; ++depth) {
      const Op* op = made_by(address);
      if (op == nullptr) return false;
      if (op->kind == OpKind::kLocal) return true;
      if (op->kind != OpKind::kOffset && op->kind != OpKind::kElement) return false;
      address = op->operands[0];
    }
    return false;
  }

 private:
  const Op* made_by(ValueId id) const { return id < made_by_.size() ? made_by_[id] : nullptr; }

  std::string local_name(const Op& op) const {
    if (!op.name.empty()) return op.name;
    for (const auto& [address, parameter] : stored_parameters_)
      if (address == op.result && parameter < function_.parameter_names.size() &&
          !function_.parameter_names[parameter].empty())
        return function_.parameter_names[parameter];
    return "temporary";
  }

  // The object that a part is taken of, with the separator that stands before the part.
  std::string through(ValueId base, int depth, const char* dot) const {
    const Op* op = made_by(base);
    const bool is_pointer = op == nullptr || (op->kind != OpKind::kSymbol && op->kind != OpKind::kLocal &&
                                              op->kind != OpKind::kOffset && op->kind != OpKind::kElement);
    if (is_pointer) return value(base, depth + 1) + (*dot != '\0' ? "->" : "");
    return place(base, depth + 1) + dot;
  }

  std::string member(const Op& op, int depth) const {
    const uint64_t offset = static_cast<uint64_t>(op.offset);
    if (op.type != kNone)
      for (const Field& field : unit_.types[op.type].fields)
        if (field.offset == offset && !field.name.empty())
          return through(op.operands[0], depth, ".") + field.name;
    if (op.offset == 0) return place(op.operands[0], depth + 1);
    return fmt::format("{}<{}>", through(op.operands[0], depth, "."), op.offset);
  }

  std::string index_text(const Op& op) const {
    const Op* index = op.operands.size() > 1 ? made_by(op.operands[1]) : nullptr;
    return index != nullptr && index->kind == OpKind::kConstant ? fmt::format("{}", index->offset) : "…";
  }

  const Unit& unit_;
  const Function& function_;
  std::vector<const Op*> made_by_;
  std::vector<std::pair<ValueId, ValueId>> stored_parameters_;
};

const char* order_name(MemoryOrder order) {
  constexpr const char* kNames[] = {"",          ", volatile", ", relaxed", ", consume",
                                    ", acquire", ", release",  ", acq_rel", ", seq_cst"};
  return kNames[static_cast<size_t>(order)];
}

// What the operation does that others could notice; empty if it is the function's own business.
std::string effect_of(const Op& op, const Describer& describe) {
  switch (op.kind) {
    case OpKind::kLoad:
      return describe.is_own(op.operands[0])
                 ? ""
                 : fmt::format("reads {}{}", describe.place(op.operands[0]), order_name(op.order));
    case OpKind::kStore:
      return describe.is_own(op.operands[0])
                 ? ""
                 : fmt::format("writes {}{}", describe.place(op.operands[0]), order_name(op.order));
    case OpKind::kUpdate:
      return fmt::format("updates {}{}", describe.place(op.operands[0]), order_name(op.order));
    case OpKind::kCopy:
      return fmt::format("copies {} to {}", describe.place(op.operands[1]), describe.place(op.operands[0]));
    case OpKind::kFill:
      return fmt::format("fills {}", describe.place(op.operands[0]));
    case OpKind::kCall:
      return fmt::format("calls {}", describe.callee(op));
    case OpKind::kThrow:
      return "throws";
    case OpKind::kFence:
      return fmt::format("fence{}", order_name(op.order));
    case OpKind::kUnknown:
      return op.operands.empty() ? "" : "unknown";
    default:
      return "";
  }
}

std::string node_line(const Function& function, uint32_t node) {
  if (node == kNone) return "(made by the compiler)";
  const Node& at = function.nodes[node];
  std::string place = fmt::format("{}", at.range.first_line);
  if (at.file != function.file) place = fmt::format("{}:{}", at.file, at.range.first_line);
  return at.text.empty() ? "line " + place : fmt::format("{:>5}  {}", place, at.text);
}

}  // namespace

std::string describe_address(const Program& program, FunctionIndex index, ValueId address) {
  return Describer(program, index).place(address);
}

std::string show_function(const Program& program, FunctionIndex index) {
  const Function& function = program.function(index);
  std::string text = fmt::format("{}  {}:{}\n", function.name, function.file, function.line);
  if (!function.degraded.empty()) {
    text += fmt::format("  not known: {}\n", function.degraded);
    for (uint32_t n = 0; n < function.nodes.size(); ++n) text += "  " + node_line(function, n) + "\n";
    return text;
  }
  const Describer describe(program, index);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    const Block& block = function.blocks[b];
    text += fmt::format("block {}\n", b);
    uint32_t current = kNone;
    bool has_line = false;
    for (const Op& op : block.ops) {
      const std::string effect = effect_of(op, describe);
      // Blocks begin with constants and locals of no statement; a line for them would say nothing.
      const bool is_new_line = !has_line || op.node != current;
      if (is_new_line && (op.node != kNone || !effect.empty())) {
        text += "  " + node_line(function, op.node) + "\n";
        current = op.node;
        has_line = true;
      }
      if (!effect.empty()) text += "           " + effect + "\n";
    }
    for (const Edge& edge : block.edges)
      text += fmt::format("  -> block {}{}{}\n", edge.to, edge.label.empty() ? "" : " if " + edge.label,
                          edge.exceptional ? " if it throws" : "");
    if (block.edges.empty()) text += "  -> end\n";
  }
  return text;
}

}  // namespace heddle::program
