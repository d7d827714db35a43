#include "select/value_flow.h"

#include <algorithm>
#include <map>

#include "program/flow_graph.h"
#include "select/effects.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::NodeId;
using program::Op;
using program::OpKind;
using program::ValueId;

namespace {

// What is known of one function: which nodes are seeds, which parameters come in changed, which calls return
// something changed.
struct Input {
  std::set<uint32_t> seeds;
  std::set<uint32_t> parameters;
  std::set<std::pair<uint32_t, uint32_t>> results;  // calls, by block and operation
};

struct Output {
  std::set<uint32_t> nodes;
  std::set<uint32_t> moved;
  std::map<FunctionIndex, std::set<uint32_t>> callees;  // with the parameters that they get changed
  bool returns = false;
};

class FunctionFlow {
 public:
  FunctionFlow(const program::Program& program, const program::PointsTo& points_to, FunctionIndex index)
      : points_to_(points_to),
        program_(program),
        index_(index),
        function_(program.function(index)),
        root_(function_.values, kNone) {
    for (const program::Block& block : function_.blocks) {
      for (const Op& op : block.ops) {
        if (op.kind == OpKind::kLocal) root_[op.result] = op.result;
        if (op.kind == OpKind::kOffset || op.kind == OpKind::kElement)
          root_[op.result] = root_[op.operands[0]];
      }
    }
    for (const auto& [block, by] : program::FlowGraph::control_dependence(function_))
      if (by < function_.blocks.size()) decided_by_[by].push_back(block);
  }

  Output run(const Input& input) {
    input_ = &input;
    value_.assign(function_.values, false);
    local_.assign(function_.values, false);
    block_.assign(function_.blocks.size(), false);
    for (const uint32_t parameter : input.parameters)
      if (parameter < function_.values) value_[parameter] = true;
    do {
      has_changed_ = false;
      for (uint32_t b = 0; b < function_.blocks.size(); ++b)
        for (uint32_t o = 0; o < function_.blocks[b].ops.size(); ++o) visit(b, o, function_.blocks[b].ops[o]);
    } while (has_changed_);
    return collect();
  }

 private:
  bool is_seed(const Op& op) const { return op.node != kNone && input_->seeds.contains(op.node); }

  // Whether it computes, or works on, something else than before.
  bool is_affected(uint32_t b, uint32_t o, const Op& op) const {
    // A statement that is new still finds variables where they are, and what they hold.
    const bool is_anew = op.kind == OpKind::kCompute || op.kind == OpKind::kCall || op.kind == OpKind::kUpdate ||
                         op.kind == OpKind::kStore || op.kind == OpKind::kFill || op.kind == OpKind::kCopy ||
                         op.kind == OpKind::kReturn || op.kind == OpKind::kBranch ||
                         (op.kind == OpKind::kLoad && root_[op.operands[0]] == kNone);
    if (is_anew && is_seed(op)) return true;
    if (input_->results.contains({b, o})) return true;
    if (op.callee != kNone && value_[op.callee]) return true;
    if (op.kind == OpKind::kLoad && root_[op.operands[0]] != kNone && local_[root_[op.operands[0]]])
      return true;
    return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId value) { return value_[value]; });
  }

  void set(std::vector<bool>& bits, uint32_t at) {
    if (at == kNone || bits[at]) return;
    bits[at] = true;
    has_changed_ = true;
  }

  void visit(uint32_t b, uint32_t o, const Op& op) {
    // Whether a variable is set there is decided by the change, though not to what.
    if (block_[b]) {
      if (op.kind == OpKind::kStore || op.kind == OpKind::kCopy) set(local_, root_[op.operands[0]]);
      if (op.kind == OpKind::kBranch)
        for (const uint32_t block : decided_by_[b]) set(block_, block);
    }
    if (!is_affected(b, o, op)) return;
    // Where a variable lives never changes.
    if (op.kind != OpKind::kLocal && op.kind != OpKind::kSymbol && op.kind != OpKind::kConstant)
      set(value_, op.result);
    switch (op.kind) {
      case OpKind::kStore:
      case OpKind::kFill:
      case OpKind::kCopy:
      case OpKind::kUpdate:
        set(local_, root_[op.operands[0]]);
        break;
      case OpKind::kCall:
        // It may write what it is given the address of.
        for (const ValueId operand : op.operands) set(local_, root_[operand]);
        break;
      case OpKind::kBranch:
        for (const uint32_t block : decided_by_[b]) set(block_, block);
        break;
      default:
        break;
    }
  }

  Output collect() const {
    Output output;
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function_.blocks[b].ops.size(); ++o) {
        const Op& op = function_.blocks[b].ops[o];
        const bool affected = (block_[b] || is_seed(op) || is_affected(b, o, op)) && does_something(op);
        if (affected && op.node != kNone) output.nodes.insert(op.node);
        if (op.node != kNone && has_other_address(op)) output.moved.insert(op.node);
        if (affected && op.kind == OpKind::kReturn && !op.operands.empty()) output.returns = true;
        if (op.kind == OpKind::kCall) add_callees(b, o, op, output);
      }
    }
    return output;
  }

  bool has_other_address(const Op& op) const {
    switch (op.kind) {
      case OpKind::kLoad:
      case OpKind::kStore:
      case OpKind::kUpdate:
      case OpKind::kFill:
        return value_[op.operands[0]];
      case OpKind::kCopy:
        return value_[op.operands[0]] || value_[op.operands[1]];
      case OpKind::kCall:
        return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId value) { return value_[value]; });
      default:
        return false;
    }
  }

  static bool does_something(const Op& op) {
    return op.kind != OpKind::kConstant && op.kind != OpKind::kSymbol && op.kind != OpKind::kLocal;
  }

  void add_callees(uint32_t b, uint32_t o, const Op& op, Output& output) const {
    std::set<uint32_t> given;
    for (uint32_t i = 0; i < op.operands.size(); ++i) {
      const uint32_t root = root_[op.operands[i]];
      if (value_[op.operands[i]] || (root != kNone && local_[root])) given.insert(i);
    }
    if (given.empty()) return;
    for (const FunctionIndex callee : points_to_.callees({index_, b, o}))
      if (!is_of_a_library(program_.function(callee))) output.callees[callee].insert(given.begin(), given.end());
  }

  const program::PointsTo& points_to_;
  const program::Program& program_;
  const FunctionIndex index_;
  const Function& function_;
  std::vector<ValueId> root_;  // the local variable that a value is an address in
  std::map<uint32_t, std::vector<uint32_t>> decided_by_;
  const Input* input_ = nullptr;
  std::vector<bool> value_;
  std::vector<bool> local_;  // by the value of its kLocal
  std::vector<bool> block_;  // whether it is executed is decided by the change
  bool has_changed_ = false;
};

class Slice {
 public:
  Slice(const program::Program& program, const program::PointsTo& points_to)
      : program_(program), points_to_(points_to) {}

  ValueSlice run(const std::vector<NodeId>& from) {
    for (const NodeId& node : from) {
      inputs_[node.function].seeds.insert(node.node);
      open_.insert(node.function);
      slice_.nodes.insert(node);
    }
    while (!open_.empty()) {
      const FunctionIndex f = *open_.begin();
      open_.erase(open_.begin());
      step(f);
    }
    return std::move(slice_);
  }

 private:
  void step(FunctionIndex f) {
    auto flow = flows_.find(f);
    if (flow == flows_.end()) flow = flows_.emplace(f, FunctionFlow(program_, points_to_, f)).first;
    const Output output = flow->second.run(inputs_[f]);
    for (const uint32_t node : output.nodes) slice_.nodes.insert({f, node});
    for (const uint32_t node : output.moved) slice_.moved.insert({f, node});
    for (const auto& [callee, given] : output.callees) {
      Input& input = inputs_[callee];
      const size_t before = input.parameters.size();
      input.parameters.insert(given.begin(), given.end());
      if (input.parameters.size() > before) open_.insert(callee);
    }
    // What comes back from a call with changed arguments is changed at that call already. Only a function
    // that has a seed of its own gives something else to callers that know nothing of it.
    if (!output.returns || !returns_anew(f, flow->second)) return;
    for (const program::OpId& call : points_to_.callers(f)) {
      if (is_of_a_library(program_.function(call.function))) continue;
      if (inputs_[call.function].results.insert({call.block, call.op}).second) open_.insert(call.function);
    }
  }

  bool returns_anew(FunctionIndex f, FunctionFlow& flow) {
    Input own = inputs_[f];
    own.parameters.clear();
    return !(own.seeds.empty() && own.results.empty()) && flow.run(own).returns;
  }

  const program::Program& program_;
  const program::PointsTo& points_to_;
  std::map<FunctionIndex, Input> inputs_;
  std::map<FunctionIndex, FunctionFlow> flows_;
  std::set<FunctionIndex> open_;
  ValueSlice slice_;
};

}  // namespace

ValueSlice value_slice(const program::Program& program, const program::PointsTo& points_to,
                             const std::vector<NodeId>& from) {
  return Slice(program, points_to).run(from);
}

}  // namespace heddle::select
