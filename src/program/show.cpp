#include "program/show.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "change/readable_text.h"
#include "program/lock_names.h"

namespace heddle::program {
namespace {

// Deeper chains of pointers are cut: they say no more.
constexpr int kMaxDepth = 12;

class Describer {
 public:
  Describer(const Program& program, FunctionIndex index)
      : program_(program),
        unit_(program.unit_of(index)),
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
      for (const Field& field : program_.complete_type(unit_, op.type).type->fields)
        if (field.offset == offset && !field.name.empty())
          return through(op.operands[0], depth, ".") + field.name;
    if (op.offset == 0) return place(op.operands[0], depth + 1);
    return fmt::format("{}<{}>", through(op.operands[0], depth, "."), op.offset);
  }

  std::string index_text(const Op& op) const {
    const Op* index = op.operands.size() > 1 ? made_by(op.operands[1]) : nullptr;
    return index != nullptr && index->kind == OpKind::kConstant ? fmt::format("{}", index->offset) : "…";
  }

  const Program& program_;
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

// What the operation does that others could notice; empty if it is the function's own business, as its
// variables are unless they are shared.
std::string effect_of(const Op& op, const Describer& describe, bool is_shared) {
  const bool is_access = op.kind == OpKind::kLoad || op.kind == OpKind::kStore;
  if (is_access && !is_shared && describe.is_own(op.operands[0])) return "";
  switch (op.kind) {
    case OpKind::kLoad:
      return fmt::format("reads {}{}", describe.place(op.operands[0]), order_name(op.order));
    case OpKind::kStore:
      return fmt::format("writes {}{}", describe.place(op.operands[0]), order_name(op.order));
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
  return at.text.empty() ? "line " + place : fmt::format("{:>5}  {}", place, readable_text(at.text));
}

}  // namespace

std::string describe_address(const Program& program, FunctionIndex index, ValueId address) {
  return Describer(program, index).place(address);
}

namespace {

// What the lock of a region is called where it is acquired.
std::string lock_name(const Program& program, const LockedRegion& region) {
  const Op& call = program.function(region.function).blocks[region.acquire.block].ops[region.acquire.op];
  const Describer describe(program, region.function);
  if (call.symbol == kNone) return describe.callee(call);
  const LockOperation operation = lock_operation(program.unit_of(region.function).symbols[call.symbol]);
  using Kind = LockOperation::Kind;
  const size_t first = operation.kind == Kind::kGuard ? 1 : 0;
  if ((operation.kind != Kind::kLock && operation.kind != Kind::kGuard) || call.operands.size() <= first)
    return fmt::format("what {} locks", describe.callee(call));
  std::string name = describe.place(call.operands[first]);
  if (!operation.all_arguments) return name;
  for (size_t i = first + 1; i < call.operands.size(); ++i) name += ", " + describe.place(call.operands[i]);
  return name;
}

// Per node, "holds this->mutex_, shared this->table_lock_".
std::vector<std::string> held_at_nodes(const Program& program, FunctionIndex index,
                                       const std::vector<LockedRegion>& regions) {
  std::vector<std::string> held(program.function(index).nodes.size());
  for (const LockedRegion& region : regions) {
    if (region.function != index) continue;
    const std::string name =
        fmt::format("{}{}{}", region.is_shared ? "shared " : "", lock_name(program, region),
                    region.is_conditional ? " (not on every path)" : "");
    for (const uint32_t node : region.nodes) held[node] += (held[node].empty() ? "holds " : ", ") + name;
  }
  return held;
}

class Printer {
 public:
  Printer(const Program& program, FunctionIndex index, const WholeProgram* whole)
      : program_(program),
        function_(program.function(index)),
        index_(index),
        whole_(whole),
        describe_(program, index),
        held_(whole == nullptr ? std::vector<std::string>(function_.nodes.size())
                               : held_at_nodes(program, index, whole->regions)) {}

  std::string print() const {
    std::string text = fmt::format("{}  {}:{}\n", function_.name, function_.file, function_.line);
    if (!function_.degraded.empty()) {
      text += fmt::format("  not known: {}\n", function_.degraded);
      for (uint32_t n = 0; n < function_.nodes.size(); ++n) text += "  " + node_line(function_, n) + "\n";
      return text;
    }
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) text += block(b);
    return text;
  }

 private:
  std::string block(uint32_t number) const {
    const Block& block = function_.blocks[number];
    std::string text = fmt::format("block {}\n", number);
    uint32_t current = kNone;
    bool has_line = false;
    for (uint32_t i = 0; i < block.ops.size(); ++i) {
      const Op& op = block.ops[i];
      const bool is_shared = whole_ != nullptr && whole_->escape.is_shared_access({index_, number, i});
      const std::string effect = effect_of(op, describe_, is_shared);
      // Blocks begin with constants and locals of no statement; a line for them would say nothing.
      const bool is_new_line = !has_line || op.node != current;
      if (is_new_line && (op.node != kNone || !effect.empty())) {
        text += "  " + node_line(function_, op.node) + "\n";
        if (op.node != kNone && !held_[op.node].empty()) text += "           " + held_[op.node] + "\n";
        current = op.node;
        has_line = true;
      }
      if (!effect.empty()) text += "           " + effect + notes({index_, number, i}, op) + "\n";
    }
    for (const Edge& edge : block.edges)
      text += fmt::format("  -> block {}{}{}\n", edge.to, edge.label.empty() ? "" : " if " + edge.label,
                          edge.exceptional ? " if it throws" : "");
    if (block.edges.empty()) text += "  -> end\n";
    return text;
  }

  std::string notes(OpId id, const Op& op) const {
    if (whole_ == nullptr) return "";
    if (whole_->escape.is_shared_access(id)) return ", shared";
    if (op.kind != OpKind::kCall) return "";
    std::string text;
    if (op.symbol == kNone)
      for (const FunctionIndex callee : whole_->points_to.callees(id))
        text += (text.empty() ? ": " : ", ") + program_.function(callee).name;
    std::set<FunctionIndex> seen, starts;
    collect_starts(id, seen, starts);
    std::set<std::string> entries;
    for (const FunctionIndex start : starts) collect_entries(start, seen, entries);
    for (const std::string& entry : entries) text += ", starts a thread with " + entry;
    return text;
  }

  bool is_of_a_library(FunctionIndex function) const {
    return program_.function(function).file.starts_with('/');
  }

  template <typename Visit>
  void for_each_call(FunctionIndex function, const Visit& visit) const {
    const std::vector<Block>& blocks = program_.function(function).blocks;
    for (uint32_t b = 0; b < blocks.size(); ++b)
      for (uint32_t i = 0; i < blocks[b].ops.size(); ++i)
        if (blocks[b].ops[i].kind == OpKind::kCall) visit(OpId{function, b, i});
  }

  // Threads are started within libraries: std::thread's constructor calls something that does.
  void collect_starts(OpId call, std::set<FunctionIndex>& seen, std::set<FunctionIndex>& starts) const {
    for (const ThreadStart& start : whole_->points_to.thread_starts())
      if (start.call == call) starts.insert(start.entry);
    for (const FunctionIndex callee : whole_->points_to.callees(call)) {
      if (is_of_a_library(callee) && seen.insert(callee).second)
        for_each_call(callee, [&](OpId inner) { collect_starts(inner, seen, starts); });
    }
  }

  // And it is a library's function that calls the program's in the new thread.
  void collect_entries(FunctionIndex function, std::set<FunctionIndex>& seen,
                       std::set<std::string>& entries) const {
    if (!is_of_a_library(function)) {
      entries.insert(program_.function(function).name);
    } else if (seen.insert(function).second) {
      for_each_call(function, [&](OpId call) {
        for (const FunctionIndex callee : whole_->points_to.callees(call))
          collect_entries(callee, seen, entries);
      });
    }
  }

  const Program& program_;
  const Function& function_;
  const FunctionIndex index_;
  const WholeProgram* whole_;
  const Describer describe_;
  const std::vector<std::string> held_;
};

}  // namespace

std::string show_function(const Program& program, FunctionIndex index) {
  return Printer(program, index, nullptr).print();
}

std::string show_function(const Program& program, FunctionIndex index, const WholeProgram& whole) {
  return Printer(program, index, &whole).print();
}

}  // namespace heddle::program
