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

// Parameters that a function gets changed: themselves, or the variables they refer to.
struct Given {
  std::set<uint32_t> values;
  std::set<uint32_t> referred;

  bool empty() const { return values.empty() && referred.empty(); }
  size_t size() const { return values.size() + referred.size(); }
  void add(const Given& other) {
    values.insert(other.values.begin(), other.values.end());
    referred.insert(other.referred.begin(), other.referred.end());
  }
};

// What is known of one function: which nodes are seeds, which parameters come in changed, which calls return
// something changed.
struct Input {
  std::set<uint32_t> seeds;
  Given parameters;
  std::set<std::pair<uint32_t, uint32_t>> results;  // calls, by block and operation
  std::set<Argument> arguments;
};

struct Output {
  std::set<uint32_t> nodes;
  std::set<uint32_t> moved;
  std::map<FunctionIndex, Given> callees;
  bool returns = false;
};

class FunctionFlow {
 public:
  FunctionFlow(const program::Program& program, const program::CallGraph& calls, FunctionIndex index)
      : calls_(calls),
        program_(program),
        index_(index),
        function_(program.function(index)),
        root_(function_.values, kNone),
        reference_(function_.values, kNone) {
    std::map<ValueId, uint32_t> slots;  // where parameters are kept
    for (const program::Block& block : function_.blocks) {
      for (const Op& op : block.ops) {
        if (op.kind == OpKind::kLocal) root_[op.result] = op.result;
        if (op.kind == OpKind::kOffset || op.kind == OpKind::kElement)
          root_[op.result] = root_[op.operands[0]];
        if (op.kind == OpKind::kStore && op.operands[1] < function_.parameters)
          slots[op.operands[0]] = op.operands[1];
        if (op.kind == OpKind::kLoad && slots.contains(op.operands[0]))
          reference_[op.result] = slots[op.operands[0]];
      }
    }
    for (const auto& [block, by] : program::FlowGraph::control_dependence(function_))
      if (by < function_.blocks.size()) decided_by_[by].push_back(block);
  }

  Output run(const Input& input) {
    input_ = &input;
    value_.assign(function_.values, false);
    local_.assign(function_.values, false);
    perhaps_set_.assign(function_.values, false);
    block_.assign(function_.blocks.size(), false);
    for (const uint32_t parameter : input.parameters.values)
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

  bool has_changed_operand(const Op& op) const {
    return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId value) { return value_[value]; });
  }

  // What it loads from a variable of the function, or from one that a parameter refers to.
  bool loads_changed(uint32_t b, const Op& load) const {
    const uint32_t root = root_[load.operands[0]];
    if (root == kNone) return is_changed_reference(load.operands[0]);
    // Where the change has already decided, a variable is set as it always was.
    return local_[root] || (perhaps_set_[root] && !block_[b]);
  }

  bool is_changed_reference(ValueId address) const {
    return reference_[address] != kNone && input_->parameters.referred.contains(reference_[address]);
  }

  // Whether it computes, or works on, something else than before. A statement that is new still finds
  // variables where they are, and what they hold.
  bool is_affected(uint32_t b, uint32_t o, const Op& op) const {
    if (op.kind == OpKind::kLoad) {
      if (loads_changed(b, op) || value_[op.operands[0]]) return true;
      return is_seed(op) && root_[op.operands[0]] == kNone;
    }
    const bool is_made_of_operands = op.kind == OpKind::kOffset || op.kind == OpKind::kElement;
    if (is_seed(op) && !is_made_of_operands) return true;
    return input_->results.contains({b, o}) || (op.callee != kNone && value_[op.callee]) ||
           has_changed_operand(op);
  }

  void set(std::vector<bool>& bits, uint32_t at) {
    if (at == kNone || bits[at]) return;
    bits[at] = true;
    has_changed_ = true;
  }

  void visit(uint32_t b, uint32_t o, const Op& op) {
    if (block_[b]) {
      if (op.kind == OpKind::kStore || op.kind == OpKind::kCopy) set(perhaps_set_, root_[op.operands[0]]);
      if (op.kind == OpKind::kBranch) decide(b);
    }
    if (!is_affected(b, o, op)) return;
    // Where a variable lives never changes.
    if (does_something(op)) set(value_, op.result);
    switch (op.kind) {
      case OpKind::kStore:
      case OpKind::kFill:
      case OpKind::kCopy:
      case OpKind::kUpdate:
        set(local_, root_[op.operands[0]]);
        break;
      case OpKind::kCall:
        // With something changed, it may change what it is given the address of.
        if (is_seed(op) || has_changed_operand(op))
          for (const ValueId operand : op.operands) set(local_, root_[operand]);
        break;
      case OpKind::kBranch:
        decide(b);
        break;
      default:
        break;
    }
  }

  void decide(uint32_t b) {
    const auto blocks = decided_by_.find(b);
    if (blocks == decided_by_.end()) return;
    for (const uint32_t block : blocks->second) set(block_, block);
  }

  Output collect() const {
    Output output;
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function_.blocks[b].ops.size(); ++o) {
        const Op& op = function_.blocks[b].ops[o];
        const bool is_in_slice = (block_[b] || is_seed(op) || is_affected(b, o, op)) && does_something(op);
        if (is_in_slice && op.node != kNone) output.nodes.insert(op.node);
        if (op.node != kNone && has_other_address(op)) output.moved.insert(op.node);
        if (is_in_slice && op.kind == OpKind::kReturn && !op.operands.empty()) output.returns = true;
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
        return has_changed_operand(op);
      default:
        return false;
    }
  }

  static bool does_something(const Op& op) {
    return op.kind != OpKind::kConstant && op.kind != OpKind::kSymbol && op.kind != OpKind::kLocal;
  }

  void add_callees(uint32_t b, uint32_t o, const Op& op, Output& output) const {
    Given given;
    for (uint32_t i = 0; i < op.operands.size(); ++i) {
      const uint32_t root = root_[op.operands[i]];
      if (value_[op.operands[i]] || input_->arguments.contains({{index_, b, o}, i})) given.values.insert(i);
      if ((root != kNone && local_[root]) || is_changed_reference(op.operands[i])) given.referred.insert(i);
    }
    if (given.empty()) return;
    for (const FunctionIndex callee : calls_.callees({index_, b, o})) {
      const Function& function = program_.function(callee);
      if (is_of_a_library(function)) continue;
      Given to = given;
      // An object that outlives the call: see the header.
      for (uint32_t i = 0; i < function.parameter_names.size(); ++i)
        if (function.parameter_names[i] == "this") to.referred.erase(i);
      if (!to.empty()) output.callees[callee].add(to);
    }
  }

  const program::CallGraph& calls_;
  const program::Program& program_;
  const FunctionIndex index_;
  const Function& function_;
  std::vector<ValueId> root_;        // the local variable that a value is an address in
  std::vector<uint32_t> reference_;  // the parameter that a value is
  std::map<uint32_t, std::vector<uint32_t>> decided_by_;
  const Input* input_ = nullptr;
  std::vector<bool> value_;
  std::vector<bool> local_;        // by the value of its kLocal: holds something else
  std::vector<bool> perhaps_set_;  // likewise: whether it has been set is decided by the change
  std::vector<bool> block_;        // whether it is executed is
  bool has_changed_ = false;
};

class Slice {
 public:
  Slice(const program::Program& program, const program::CallGraph& calls)
      : program_(program), calls_(calls) {}

  ValueSlice run(const std::vector<NodeId>& from, const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
      inputs_[argument.call.function].arguments.insert(argument);
      open_.insert(argument.call.function);
    }
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
    if (flow == flows_.end()) flow = flows_.emplace(f, FunctionFlow(program_, calls_, f)).first;
    const Output output = flow->second.run(inputs_[f]);
    for (const uint32_t node : output.nodes) slice_.nodes.insert({f, node});
    for (const uint32_t node : output.moved) slice_.moved.insert({f, node});
    for (const auto& [callee, given] : output.callees) {
      Input& input = inputs_[callee];
      const size_t before = input.parameters.size();
      input.parameters.add(given);
      if (input.parameters.size() > before) open_.insert(callee);
    }
    // What comes back from a call with changed arguments is changed at that call already. Only a function
    // that has a seed of its own gives something else to callers that know nothing of it.
    if (!output.returns || !returns_anew(f, flow->second)) return;
    for (const program::OpId& call : calls_.callers(f)) {
      if (is_of_a_library(program_.function(call.function))) continue;
      if (inputs_[call.function].results.insert({call.block, call.op}).second) open_.insert(call.function);
    }
  }

  bool returns_anew(FunctionIndex f, FunctionFlow& flow) {
    Input own = inputs_[f];
    own.parameters = {};
    return !(own.seeds.empty() && own.results.empty()) && flow.run(own).returns;
  }

  const program::Program& program_;
  const program::CallGraph& calls_;
  std::map<FunctionIndex, Input> inputs_;
  std::map<FunctionIndex, FunctionFlow> flows_;
  std::set<FunctionIndex> open_;
  ValueSlice slice_;
};

}  // namespace

ValueSlice value_slice(const program::Program& program, const program::CallGraph& calls,
                       const std::vector<NodeId>& from, const std::vector<Argument>& arguments) {
  return Slice(program, calls).run(from, arguments);
}

}  // namespace heddle::select
