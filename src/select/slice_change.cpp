#include "select/slice_change.h"

#include <algorithm>
#include <map>

#include "program/lock_names.h"
#include "program/ordering_names.h"

namespace heddle::select {

using program::FunctionIndex;
using program::NodeId;
using program::Op;
using program::OpKind;

namespace {

bool is_acquired_at(const ProgramStructure& of, const NodeId& node) {
  return std::any_of(of.regions.begin(), of.regions.end(), [&](const program::LockedRegion& region) {
    if (region.function != node.function) return false;
    const program::Block& block = of.program.function(region.function).blocks[region.acquire.block];
    return block.ops[region.acquire.op].node == node.node;
  });
}

bool synchronises(const program::Unit& unit, const Op& op) {
  if (op.kind == OpKind::kFence) return true;
  if (op.kind != OpKind::kCall || op.symbol == kNone) return false;
  const program::Symbol& symbol = unit.symbols[op.symbol];
  return program::lock_operation(symbol).kind != program::LockOperation::Kind::kOther ||
         program::is_ordering_operation(symbol);
}

bool does_something(const Op& op) {
  switch (op.kind) {
    case OpKind::kConstant:
    case OpKind::kSymbol:
    case OpKind::kLocal:
    case OpKind::kOffset:
    case OpKind::kFence:
      return false;
    case OpKind::kReturn:
    case OpKind::kBranch:
      return !op.operands.empty();
    default:
      return true;
  }
}

bool computes(const ProgramStructure& of, const NodeId& node) {
  const program::Function& function = of.program.function(node.function);
  // Where a scope ends, destructors run; what they do is in their own statements.
  if (function.nodes[node.node].text == "}" || is_acquired_at(of, node)) return false;
  const program::Unit& unit = of.program.unit_of(node.function);
  bool computes = false;
  for (const program::Block& block : function.blocks) {
    for (const Op& op : block.ops) {
      if (op.node != node.node) continue;
      if (synchronises(unit, op)) return false;
      computes |= does_something(op);
    }
  }
  return computes;
}

// The integers that each call of a node is given, by argument; calls by the name of the callee, in order.
struct ConstantCall {
  program::OpId at;
  std::map<uint32_t, int64_t> constants;
};
std::map<std::string, std::vector<ConstantCall>> constant_calls(const program::Program& program,
                                                                const NodeId& node) {
  const program::Function& function = program.function(node.function);
  const program::Unit& unit = program.unit_of(node.function);
  std::map<program::ValueId, int64_t> constants;
  std::map<std::string, std::vector<ConstantCall>> calls;
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
      const Op& op = function.blocks[b].ops[o];
      if (op.kind == OpKind::kConstant) constants[op.result] = op.offset;
      if (op.kind != OpKind::kCall || op.node != node.node || op.symbol == kNone) continue;
      ConstantCall call{{node.function, b, o}, {}};
      for (uint32_t i = 0; i < op.operands.size(); ++i)
        if (const auto known = constants.find(op.operands[i]); known != constants.end())
          call.constants[i] = known->second;
      calls[unit.symbols[op.symbol].linkage_name].push_back(std::move(call));
    }
  }
  return calls;
}

// `cache.set_shared(true)` that becomes `cache.set_shared(false)`.
std::vector<Argument> changed_arguments(const ProgramStructure& base, const ProgramStructure& head,
                                        const VersionMap& versions, const NodeId& node) {
  const FunctionIndex before = versions.partner(node.function);
  const std::optional<VersionMap::OldNode> old = versions.old_of(node);
  if (before == kNone || !old || old->function != &base.program.function(before)) return {};
  const auto then = constant_calls(base.program, {before, old->node});
  std::vector<Argument> arguments;
  for (const auto& [callee, calls] : constant_calls(head.program, node)) {
    const auto known = then.find(callee);
    if (known == then.end()) continue;
    for (size_t c = 0; c < std::min(calls.size(), known->second.size()); ++c)
      for (const auto& [number, value] : calls[c].constants)
        if (const auto was = known->second[c].constants.find(number);
            was != known->second[c].constants.end() && was->second != value)
          arguments.push_back({calls[c].at, number});
  }
  return arguments;
}

// A statement that is gone has users which now see something else.
ValueSlice users_of_removed(const ProgramStructure& base, const ProgramStructure& head,
                            const VersionMap& versions) {
  std::map<FunctionIndex, FunctionIndex> to_head;
  std::vector<NodeId> removed;
  for (FunctionIndex f = 0; f < head.program.size(); ++f) {
    const FunctionIndex before = versions.is_compared(f) ? versions.base_function(f) : kNone;
    if (before == kNone) continue;
    to_head.emplace(before, f);
    for (const uint32_t node : versions.removed_nodes(f))
      if (computes(base, {before, node})) removed.push_back({before, node});
  }
  const ValueSlice users = value_slice(base.program, *base.call_graph, removed);
  ValueSlice here;
  for (const auto& [before, now] : to_head) {
    const auto& nodes = versions.nodes(now);
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n] || !nodes[n]->is_equal) continue;
      if (users.nodes.contains({before, nodes[n]->node})) here.nodes.insert({now, n});
      if (users.moved.contains({before, nodes[n]->node})) here.moved.insert({now, n});
    }
  }
  return here;
}

}  // namespace

ChangeSlices slice_change(const ProgramStructure& base, const ProgramStructure& head,
                          const VersionMap& versions, const std::vector<NodeId>& changed) {
  std::vector<NodeId> seeds;
  std::copy_if(changed.begin(), changed.end(), std::back_inserter(seeds),
               [&](const NodeId& node) { return computes(head, node); });
  std::vector<Argument> arguments;
  for (const NodeId& node : changed) {
    const std::vector<Argument> more = changed_arguments(base, head, versions, node);
    arguments.insert(arguments.end(), more.begin(), more.end());
  }
  return {value_slice(head.program, *head.call_graph, seeds, arguments),
          users_of_removed(base, head, versions)};
}

}  // namespace heddle::select
