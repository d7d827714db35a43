#include "select/held_locks.h"

#include <algorithm>

#include "program/lock_names.h"
#include "select/access_paths.h"

namespace heddle::select {

using program::FunctionIndex;
using program::LockedRegion;
using program::LockOperation;
using program::NodeId;
using program::Op;
using program::Pointee;

namespace {

// Which operands of an acquisition are the locks, as far as names tell. Of a class of the program's own that
// locks in its constructor, what it is given.
std::pair<size_t, size_t> lock_operands(const program::Unit& unit, const Op& op) {
  const LockOperation operation =
      op.symbol == kNone ? LockOperation{} : program::lock_operation(unit.symbols[op.symbol]);
  switch (operation.kind) {
    case LockOperation::Kind::kLock:
      return {0, operation.all_arguments ? op.operands.size() : std::min<size_t>(op.operands.size(), 1)};
    case LockOperation::Kind::kGuard:
    case LockOperation::Kind::kOther:
      return {1, op.operands.size()};
    default:
      return {0, 0};
  }
}

// Those of both; as readers if one holds it so.
std::vector<HeldLock> common(const std::vector<HeldLock>& one, const std::vector<HeldLock>& other) {
  std::vector<HeldLock> both;
  for (const HeldLock& lock : one)
    for (const HeldLock& same : other)
      if (lock.lock == same.lock) both.push_back({lock.lock, lock.is_shared || same.is_shared});
  return both;
}

// Those of either; alone if one holds it so.
void add(std::vector<HeldLock>& held, const std::vector<HeldLock>& more) {
  for (const HeldLock& lock : more) {
    const auto at =
        std::lower_bound(held.begin(), held.end(), lock.lock,
                         [](const HeldLock& known, uint32_t number) { return known.lock < number; });
    if (at == held.end() || at->lock != lock.lock) {
      held.insert(at, lock);
    } else {
      at->is_shared &= lock.is_shared;
    }
  }
}

}  // namespace

std::vector<std::string> names_of_locks(const ProgramStructure& program, const LockedRegion& region) {
  const Op& op =
      program.program.function(region.function).blocks[region.acquire.block].ops[region.acquire.op];
  const auto [first, last] = lock_operands(program.program.unit_of(region.function), op);
  const AccessPaths paths(program.program, region.function);
  std::vector<std::string> names;
  for (size_t i = first; i < last; ++i)
    if (const Path path = paths.of(op.operands[i]); path.is_known()) names.push_back(path.text());
  if (!names.empty()) return names;
  // By what they may be, if that is known.
  std::string name;
  for (const Pointee& pointee : region.locks) {
    if (pointee.object == program::kUnknownObject) return {};
    name += " " + std::to_string(pointee.object) + "+" + std::to_string(pointee.offset);
  }
  if (!name.empty()) names.push_back(std::move(name));
  return names;
}

HeldLocks::HeldLocks(const AnalysedProgram& program) : at_entry_(program.program.size()) {
  for (const LockedRegion& region : program.regions) {
    if (region.sure_nodes.empty()) continue;
    if (Held locks = locks_of(program, region); !locks.empty())
      regions_[region.function].push_back({std::move(locks), &region.sure_nodes});
  }
  spread(program);
}

HeldLocks::Held HeldLocks::locks_of(const AnalysedProgram& program, const LockedRegion& region) {
  Held locks;
  for (std::string& name : names_of_locks(program, region)) {
    const auto number = static_cast<uint32_t>(numbers_.size());
    add(locks, {{numbers_.try_emplace(std::move(name), number).first->second, region.is_shared}});
  }
  return locks;
}

HeldLocks::Held HeldLocks::in_function(const NodeId& node) const {
  Held held;
  if (const auto found = regions_.find(node.function); found != regions_.end())
    for (const Region& region : found->second)
      if (std::binary_search(region.nodes->begin(), region.nodes->end(), node.node)) add(held, region.locks);
  return held;
}

// Down the call graph, until nothing changes: what is held at the beginning of a function is what all its
// callers hold.
void HeldLocks::spread(const AnalysedProgram& program) {
  std::unordered_map<FunctionIndex, std::vector<const program::CallGraph::Site*>> calls;
  for (const program::CallGraph::Site& site : program.call_graph->sites())
    calls[site.call.function].push_back(&site);
  for (FunctionIndex f = 0; f < program.program.size(); ++f)
    if (program.call_graph->callers(f).empty() || program.points_to.is_called_from_outside(f)) meet(f, {});
  for (const FunctionIndex entry : program.points_to.thread_entries()) meet(entry, {});
  while (!open_.empty()) {
    const FunctionIndex f = open_.back();
    open_.pop_back();
    const Held at_entry = *at_entry_[f];
    const std::vector<program::Block>& blocks = program.program.function(f).blocks;
    for (const program::CallGraph::Site* site : calls[f]) {
      Held held = in_function({f, blocks[site->call.block].ops[site->call.op].node});
      add(held, at_entry);
      for (const FunctionIndex callee : site->callees) meet(callee, held);
    }
  }
}

void HeldLocks::meet(FunctionIndex function, const Held& held) {
  std::optional<Held>& known = at_entry_[function];
  if (known && known->empty()) return;
  Held now = known ? common(*known, held) : held;
  if (known == now) return;
  known = std::move(now);
  open_.push_back(function);
}

std::vector<HeldLock> HeldLocks::at(const NodeId& node) const {
  Held held = in_function(node);
  if (at_entry_[node.function]) add(held, *at_entry_[node.function]);
  return held;
}

void note_held_locks(const AnalysedProgram& program, std::vector<SharedVariable>& variables) {
  const HeldLocks locks(program);
  for (SharedVariable& variable : variables)
    if (variable.node.function != kNone) variable.held = locks.at(variable.node);
}

bool exclude_each_other(const std::vector<HeldLock>& one, const std::vector<HeldLock>& other) {
  return std::any_of(one.begin(), one.end(), [&](const HeldLock& lock) {
    return std::any_of(other.begin(), other.end(), [&](const HeldLock& same) {
      return lock.lock == same.lock && !(lock.is_shared && same.is_shared);
    });
  });
}

}  // namespace heddle::select
