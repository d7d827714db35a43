#include "select/lock_orderings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "program/lock_names.h"
#include "program/ordering_names.h"
#include "select/access_paths.h"
#include "select/held_locks.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::LockedRegion;
using program::LockOperation;
using program::NodeId;
using program::Op;
using program::OpId;
using program::OpKind;

namespace {

uint32_t node_of(const program::Program& program, const LockedRegion& region) {
  return program.function(region.function).blocks[region.acquire.block].ops[region.acquire.op].node;
}

template <typename Visit>
void for_each_call(const Function& function, FunctionIndex f, const Visit& visit) {
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o)
      if (function.blocks[b].ops[o].kind == OpKind::kCall) visit(OpId{f, b, o}, function.blocks[b].ops[o]);
}

// May wait for another thread.
bool is_wait(const program::Unit& unit, const Op& call) {
  if (call.symbol == program::kNone) return false;
  const program::Symbol& symbol = unit.symbols[call.symbol];
  if (program::is_ordering_operation(symbol)) return true;
  using Kind = LockOperation::Kind;
  const LockOperation operation = program::lock_operation(symbol);
  return operation.kind == Kind::kLock || operation.kind == Kind::kGuardLock ||
         (operation.kind == Kind::kGuard && !operation.is_deferred && !operation.is_taken_over);
}

class LockOrderings {
 public:
  LockOrderings(const ProgramStructure& base, const AnalysedProgram& head, const VersionMap& versions)
      : base_(base), head_(head), versions_(versions) {}

  std::vector<LockOrdering> run() {
    for (const LockedRegion& region : base_.regions)
      if (const uint32_t node = node_of(base_.program, region); node != program::kNone)
        before_[{region.function, node}].insert(region.is_shared);
    std::vector<LockOrdering> all;
    std::set<std::string> of_changed;
    for (const LockedRegion& region : head_.regions) {
      const uint32_t node = node_of(head_.program, region);
      if (node == program::kNone || is_of_a_library(head_.program.function(region.function))) continue;
      LockOrdering ordering{&region, {region.function, node}, names_of_locks(head_, region), false};
      if (ordering.locks.empty()) continue;
      ordering.is_changed = is_changed(ordering) && may_wait(ordering);
      if (ordering.is_changed) of_changed.insert(ordering.locks.begin(), ordering.locks.end());
      all.push_back(std::move(ordering));
    }
    std::erase_if(all, [&](const LockOrdering& ordering) {
      return std::none_of(ordering.locks.begin(), ordering.locks.end(),
                          [&](const std::string& lock) { return of_changed.contains(lock); });
    });
    return all;
  }

 private:
  bool is_changed(const LockOrdering& ordering) const {
    const NodeId& at = ordering.acquired_at;
    if (!versions_.is_in_base(at.function)) return true;
    const uint32_t same = versions_.equal_node(at);
    if (same == program::kNone || versions_.change_of(at) != nullptr) return true;
    const auto found = before_.find({versions_.partner(at.function), same});
    return found == before_.end() || !found->second.contains(ordering.region->is_shared);
  }

  bool may_wait(const LockOrdering& ordering) {
    return waits_under(*ordering.region) || is_under_another(ordering);
  }

  bool waits_under(const LockedRegion& region) {
    bool waits = false;
    std::set<FunctionIndex> called;
    const FunctionIndex f = region.function;
    for_each_call(head_.program.function(f), f, [&](const OpId& id, const Op& call) {
      if (id == region.acquire || call.node == program::kNone ||
          !std::binary_search(region.nodes.begin(), region.nodes.end(), call.node))
        return;
      waits |= is_wait(head_.program.unit_of(f), call);
      if (!waits) head_.calls.for_each_callee(id, [&](FunctionIndex callee) { called.insert(callee); });
    });
    if (waits || called.empty()) return waits;
    const std::set<FunctionIndex> reached = head_.calls.reached_from(called);
    return std::any_of(reached.begin(), reached.end(),
                       [&](FunctionIndex callee) { return waits_in(callee); });
  }

  bool waits_in(FunctionIndex f) {
    const auto [known, is_new] = waits_in_.try_emplace(f, false);
    if (!is_new) return known->second;
    bool waits = false;
    for_each_call(head_.program.function(f), f,
                  [&](const OpId&, const Op& call) { waits |= is_wait(head_.program.unit_of(f), call); });
    return known->second = waits;
  }

  bool is_under_another(const LockOrdering& ordering) {
    if (!has_called_under_) find_called_under();
    if (called_under_.contains(ordering.acquired_at.function)) return true;
    return std::any_of(head_.regions.begin(), head_.regions.end(), [&](const LockedRegion& other) {
      return &other != ordering.region && other.function == ordering.acquired_at.function &&
             other.acquire != ordering.region->acquire &&
             std::binary_search(other.nodes.begin(), other.nodes.end(), ordering.acquired_at.node);
    });
  }

  // Functions that are called, by whatever way, with a lock held.
  void find_called_under() {
    has_called_under_ = true;
    std::map<FunctionIndex, std::set<uint32_t>> nodes;
    for (const LockedRegion& region : head_.regions)
      if (!is_of_a_library(head_.program.function(region.function)))
        nodes[region.function].insert(region.nodes.begin(), region.nodes.end());
    std::set<FunctionIndex> called;
    std::set<OpId> acquisitions;
    for (const LockedRegion& region : head_.regions) acquisitions.insert(region.acquire);
    for (const auto& [f, held] : nodes)
      for_each_call(head_.program.function(f), f, [&](const OpId& id, const Op& call) {
        if (call.node == program::kNone || !held.contains(call.node) || acquisitions.contains(id)) return;
        head_.calls.for_each_callee(id, [&](FunctionIndex callee) { called.insert(callee); });
      });
    called_under_ = head_.calls.reached_from(called);
  }

  const ProgramStructure& base_;
  const AnalysedProgram& head_;
  const VersionMap& versions_;
  std::map<NodeId, std::set<bool>> before_;  // of the base: how it is locked there, as a reader or not
  std::map<FunctionIndex, bool> waits_in_;
  std::set<FunctionIndex> called_under_;
  bool has_called_under_ = false;
};

}  // namespace

std::vector<LockOrdering> find_lock_orderings(const ProgramStructure& base, const AnalysedProgram& head,
                                              const VersionMap& versions) {
  return LockOrderings(base, head, versions).run();
}

}  // namespace heddle::select
