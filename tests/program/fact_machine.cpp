#include "fact_machine.h"

#include <algorithm>

namespace heddle::program {
namespace {

constexpr uint32_t kMaxSteps = 1500;
constexpr uint32_t kMaxDepth = 6;

// By the definition: from which blocks the end can be reached without passing `without`.
std::vector<bool> can_end(const Function& function, uint32_t without) {
  std::vector<bool> ends(function.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = static_cast<uint32_t>(ends.size()); b-- > 0;) {
      if (ends[b] || b == without) continue;
      const std::vector<Edge>& edges = function.blocks[b].edges;
      ends[b] =
          edges.empty() || std::any_of(edges.begin(), edges.end(), [&](const Edge& e) { return ends[e.to]; });
      changed |= ends[b];
    }
  }
  return ends;
}

}  // namespace

FactMachine::FactMachine(const Program& program, uint32_t seed) : program_(program), random_(seed) {
  origins_.emplace_back();
  numbers_[{}] = 0;
}

FactMachine::Origins FactMachine::number_of(const std::set<NodeId>& nodes) {
  const auto [entry, is_new] = numbers_.try_emplace(nodes, static_cast<Origins>(origins_.size()));
  if (is_new) origins_.push_back(nodes);
  return entry->second;
}

void FactMachine::add(Origins& to, Origins more) {
  if (to == more || more == 0) return;
  if (to == 0) {
    to = more;
    return;
  }
  const auto [entry, is_new] = unions_.try_emplace({to, more});
  if (is_new) {
    std::set<NodeId> both = origins_[to];
    both.insert(origins_[more].begin(), origins_[more].end());
    entry->second = number_of(both);
  }
  to = entry->second;
}

// (block, decider): the block is on every way from one edge of the decider to the end, and not from all.
const std::set<std::pair<uint32_t, uint32_t>>& FactMachine::controls(FunctionIndex f) {
  const auto [entry, is_new] = controls_.try_emplace(f);
  if (!is_new) return entry->second;
  const Function& function = program_.function(f);
  const auto count = static_cast<uint32_t>(function.blocks.size());
  const std::vector<bool> ends = can_end(function, kNone);
  if (std::find(ends.begin(), ends.end(), false) != ends.end()) endless_.insert(f);
  for (uint32_t block = 0; block < count; ++block) {
    const std::vector<bool> ends_without = can_end(function, block);
    for (uint32_t decider = 0; decider < count; ++decider) {
      size_t must_pass = 0;
      for (const Edge& edge : function.blocks[decider].edges) must_pass += !ends_without[edge.to];
      if (must_pass > 0 && must_pass < function.blocks[decider].edges.size())
        entry->second.insert({block, decider});
    }
  }
  return entry->second;
}

void FactMachine::run(FunctionIndex main) {
  memory_.clear();
  globals_.clear();
  steps_ = 0;
  std::vector<Value> arguments(program_.function(main).parameters);
  call(main, arguments, 0, 0);
}

uint32_t FactMachine::make(Target made, uint64_t size) {
  Instance instance;
  instance.made = made;
  instance.size = static_cast<int64_t>(size);
  instance.bytes.resize(size);
  memory_.push_back(std::move(instance));
  return static_cast<uint32_t>(memory_.size() - 1);
}

bool FactMachine::is_valid(const Value& address, uint64_t size) const {
  return address.instance != kNone && address.offset >= 0 &&
         address.offset + static_cast<int64_t>(size) <= memory_[address.instance].size;
}

FactMachine::Value FactMachine::read(const OpId& id, const Value& address, uint64_t size, Origins& origins) {
  if (!is_valid(address, size)) return {};
  Instance& instance = memory_[address.instance];
  instance.accesses[id].insert(thread_);
  for (uint64_t i = 0; i < size; ++i) {
    add(origins, instance.bytes[static_cast<size_t>(address.offset) + i]);
  }
  const auto found = instance.values.find(address.offset);
  if (found == instance.values.end() || found->second.first != size) return {};
  return found->second.second;
}

void FactMachine::write(const OpId& id, const Value& address, uint64_t size, const Value& value,
                        Origins origins) {
  if (!is_valid(address, size)) return;
  Instance& instance = memory_[address.instance];
  instance.accesses[id].insert(thread_);
  for (uint64_t i = 0; i < size; ++i) instance.bytes[static_cast<size_t>(address.offset) + i] = origins;
  for (auto at = instance.values.begin(); at != instance.values.end();) {
    const bool overlaps = at->first < address.offset + static_cast<int64_t>(size) &&
                          address.offset < at->first + static_cast<int64_t>(at->second.first);
    at = overlaps ? instance.values.erase(at) : std::next(at);
  }
  instance.values[address.offset] = {size, value};
}

void FactMachine::note_control(const Activation& at, uint32_t block) {
  const Function& function = program_.function(at.function);
  const std::set<std::pair<uint32_t, uint32_t>>& pairs = controls(at.function);
  if (endless_.contains(at.function)) return;
  uint32_t decider = kNone;
  for (size_t i = at.branches.size(); i-- > 0 && decider == kNone;) {
    if (pairs.contains({block, at.branches[i]})) decider = at.branches[i];
  }
  for (const Op& op : function.blocks[block].ops) {
    if (op.node == kNone) continue;
    const NodeId node{at.function, op.node};
    if (decider == kNone) {
      for (const NodeId& caller : origins_[at.called_by]) calls.insert({node, caller});
    } else if (const uint32_t on = function.blocks[decider].ops.back().node; on != kNone) {
      control.insert({node, {at.function, on}});
    }
  }
}

FactMachine::Value FactMachine::call(FunctionIndex f, std::vector<Value> arguments, Origins called_by,
                                     uint32_t depth) {
  const Function& function = program_.function(f);
  Activation at{f, depth, std::vector<Value>(function.values), {}, called_by};
  for (uint32_t i = 0; i < function.parameters && i < arguments.size(); ++i) at.values[i] = arguments[i];
  Value returned;
  for (uint32_t block = 0; !function.blocks.empty() && steps_ < kMaxSteps;) {
    note_control(at, block);
    const Block& it = function.blocks[block];
    for (uint32_t o = 0; o < it.ops.size() && steps_ < kMaxSteps; ++o) {
      ++steps_;
      if (!execute(at, {f, block, o}, it.ops[o], returned)) return returned;
    }
    if (it.edges.empty()) break;
    if (it.edges.size() > 1) at.branches.push_back(block);
    block = it.edges[random_() % it.edges.size()].to;
  }
  return returned;
}

// False: the function is left.
bool FactMachine::execute(Activation& at, const OpId& id, const Op& op, Value& returned) {
  Value result;
  Origins used = 0;
  auto use = [&](ValueId value) -> const Value& {
    add(used, at.values[value].origins);
    return at.values[value];
  };
  std::vector<Value> operands;
  for (ValueId operand : op.operands) operands.push_back(use(operand));
  // Who stands for what this operation computes or writes.
  auto self = [&] { return op.node != kNone ? number_of({{at.function, op.node}}) : used; };
  bool stays = true;
  switch (op.kind) {
    case OpKind::kSymbol: {
      const Unit& unit = program_.unit_of(at.function);
      if (unit.symbols[op.symbol].is_function) {
        result.function = program_.definition(unit, op.symbol);
        break;
      }
      const uint32_t global = program_.global_symbol(unit, op.symbol);
      const auto [entry, is_new] = globals_.try_emplace(global);
      if (is_new) entry->second = make({.made_at = {}, .global = global}, unit.symbols[op.symbol].size);
      result.instance = entry->second;
      break;
    }
    case OpKind::kLocal:
      result.instance = make({.made_at = id}, op.size);
      break;
    case OpKind::kCompute:
      if (!operands.empty()) result = operands[random_() % operands.size()];
      break;
    case OpKind::kOffset:
    case OpKind::kElement:
      result = operands[0];
      if (op.kind == OpKind::kOffset) result.offset += op.offset;
      if (op.kind == OpKind::kElement && result.instance != kNone) {
        const int64_t count = (memory_[result.instance].size - result.offset) / static_cast<int64_t>(op.size);
        if (count > 0) result.offset += static_cast<int64_t>(op.size) * (random_() % count);
      }
      if (!is_valid(result, 0)) result = {};
      break;
    case OpKind::kLoad:
      result = read(id, operands[0], op.size, used);
      break;
    case OpKind::kStore:
    case OpKind::kFill:
      if (op.kind == OpKind::kFill && !is_valid(operands[0], op.size)) steps_ = kMaxSteps;
      write(id, operands[0], op.size, op.kind == OpKind::kStore ? operands[1] : Value{}, self());
      break;
    case OpKind::kUpdate:
      result = read(id, operands[0], op.size, used);
      write(id, operands[0], op.size, operands[1], self());
      break;
    case OpKind::kCopy: {
      if (!is_valid(operands[0], op.size) || !is_valid(operands[1], op.size)) {
        steps_ = kMaxSteps;  // that is where a real program would have ended
        break;
      }
      read(id, operands[1], op.size, used);
      const int64_t distance = operands[0].offset - operands[1].offset;
      const int64_t from = operands[1].offset;
      const auto copied = memory_[operands[1].instance].values;
      write(id, operands[0], op.size, {}, self());
      Instance& to = memory_[operands[0].instance];
      to.values.erase(operands[0].offset);
      for (const auto& [offset, value] : copied) {
        if (offset < from || offset + value.first > from + op.size) continue;
        to.values[offset + distance] = value;
      }
      break;
    }
    case OpKind::kCall: {
      FunctionIndex callee = kNone;
      if (op.callee != kNone) {
        callee = use(op.callee).function;
      } else {
        const Unit& unit = program_.unit_of(at.function);
        callee = program_.definition(unit, op.symbol);
        const std::string& name = unit.symbols[op.symbol].linkage_name;
        if (callee == kNone && name == "malloc") result.instance = make({.made_at = id}, 48);
        if (callee == kNone && name == "pthread_create" && operands[2].function != kNone &&
            at.depth < kMaxDepth) {
          const uint32_t before = thread_;
          thread_ = threads_++;
          call(operands[2].function, {operands[3]}, self(), at.depth + 1);
          thread_ = before;
        }
      }
      if (callee != kNone && at.depth < kMaxDepth) {
        called.insert({id, callee});
        result = call(callee, operands, self(), at.depth + 1);
        add(used, result.origins);
      }
      break;
    }
    case OpKind::kReturn:
      if (!operands.empty()) returned = operands[0];
      stays = false;
      break;
    default:
      break;
  }
  if (op.node != kNone) {
    for (const NodeId& on : origins_[used]) {
      // What a statement computes for itself is no dependence.
      if (on != NodeId{at.function, op.node}) data.insert({{at.function, op.node}, on});
    }
  }
  if (op.kind == OpKind::kReturn) returned.origins = self();
  if (op.result != kNone) {
    result.origins = self();
    if (result.instance != kNone) {
      Target target = memory_[result.instance].made;
      target.offset = result.offset;
      pointed.insert({{at.function, op.result}, target});
    }
    at.values[op.result] = std::move(result);
  }
  return stays;
}

std::set<OpId> FactMachine::shared_accesses() const {
  std::set<OpId> result;
  for (const Instance& instance : memory_) {
    std::set<uint32_t> threads;
    for (const auto& [op, by] : instance.accesses) threads.insert(by.begin(), by.end());
    if (threads.size() < 2) continue;
    for (const auto& [op, by] : instance.accesses) result.insert(op);
  }
  return result;
}

}  // namespace heddle::program
