#include "select/decided_locks.h"

#include <algorithm>

#include <fmt/format.h>

#include "change/readable_text.h"
#include "program/flow_graph.h"

namespace heddle::select {

using program::Function;
using program::LockedRegion;
using program::NodeId;
using program::Op;
using program::OpKind;

namespace {

// Where another acquisition holds the lock as well, as in a loop that lets go of it for a while, this one
// decides nothing.
LockedRegion without_others(const std::vector<LockedRegion>& regions, const LockedRegion& region) {
  LockedRegion alone = region;
  for (const LockedRegion& other : regions) {
    if (other.function != region.function || other.acquire == region.acquire || other.locks != region.locks)
      continue;
    std::erase_if(alone.nodes, [&](uint32_t node) {
      return std::binary_search(other.nodes.begin(), other.nodes.end(), node);
    });
  }
  return alone;
}

bool holds_at(const LockedRegion& region, uint32_t node) {
  return node != kNone && std::binary_search(region.nodes.begin(), region.nodes.end(), node);
}

// Nodes that decide whether the lock is taken, but not whether all is executed that is to be under it.
std::set<uint32_t> conditions_of(const Function& function, const LockedRegion& region) {
  std::map<uint32_t, std::vector<uint32_t>> decided_by;  // block → blocks
  for (const auto& [block, by] : program::FlowGraph::control_dependence(function))
    if (by < function.blocks.size()) decided_by[by].push_back(block);
  std::set<uint32_t> conditions;
  for (const auto& [by, blocks] : decided_by) {
    if (std::find(blocks.begin(), blocks.end(), region.acquire.block) == blocks.end()) continue;
    std::set<uint32_t> decided(blocks.begin(), blocks.end());
    std::vector<uint32_t> open(blocks.begin(), blocks.end());
    while (!open.empty()) {
      const auto further = decided_by.find(open.back());
      open.pop_back();
      if (further == decided_by.end()) continue;
      for (const uint32_t block : further->second)
        if (decided.insert(block).second) open.push_back(block);
    }
    bool decides_all = true;
    for (uint32_t b = 0; b < function.blocks.size(); ++b)
      for (const Op& op : function.blocks[b].ops)
        if (holds_at(region, op.node)) decides_all &= decided.contains(b);
    if (decides_all) continue;
    for (const Op& op : function.blocks[by].ops)
      if (op.kind == OpKind::kBranch && op.node != kNone) conditions.insert(op.node);
  }
  return conditions;
}

class Decision {
 public:
  Decision(const ProgramStructure& head, const DecidedBy& change) : head_(head), change_(change) {
    for (const SharedVariable& write : change.variables)
      if (write.is_write && write.is_impacted() && write.rule != Rule::kSynchronisation)
        written_.insert(written_.end(), write.locations.begin(), write.locations.end());
  }

  bool decides(const LockedRegion& region, uint32_t acquired_at) const {
    if (acquired_at != kNone && uses_written({region.function, acquired_at}, false)) return true;
    if (!region.is_conditional) return false;
    const LockedRegion alone = without_others(head_.regions, region);
    const std::set<uint32_t> conditions = conditions_of(head_.program.function(region.function), alone);
    return std::any_of(conditions.begin(), conditions.end(), [&](uint32_t condition) {
      const NodeId node{region.function, condition};
      return change_.nodes.contains(node) || uses_written(node, true);
    });
  }

 private:
  // Memory that the change writes: a flag, or which mutex a reference means.
  bool uses_written(const NodeId& node, bool also_by_writing) const {
    const std::vector<uint32_t>& here = change_.variables_of[node.function];
    return std::any_of(here.begin(), here.end(), [&](uint32_t variable) {
      const SharedVariable& used = change_.variables[variable];
      return used.node == node && (also_by_writing || !used.is_write) && is_written(used);
    });
  }

  bool is_written(const SharedVariable& used) const {
    return std::any_of(written_.begin(), written_.end(), [&](const Location& one) {
      return std::any_of(used.locations.begin(), used.locations.end(),
                         [&](const Location& other) { return one.surely_overlaps(other); });
    });
  }

  const ProgramStructure& head_;
  const DecidedBy& change_;
  std::vector<Location> written_;  // by the change
};

}  // namespace

std::map<NodeId, std::string> under_decided_locks(const ProgramStructure& head, const DecidedBy& change) {
  const Decision decision(head, change);
  std::map<NodeId, std::string> under;
  for (const LockedRegion& region : head.regions) {
    const Function& function = head.program.function(region.function);
    const uint32_t at = function.blocks[region.acquire.block].ops[region.acquire.op].node;
    if (!decision.decides(region, at)) continue;
    const std::string words =
        at == kNone ? "decides about a lock"
                    : fmt::format("decides about the lock `{}`", readable_text(function.nodes[at].text));
    for (const uint32_t node : without_others(head.regions, region).nodes)
      under.emplace(NodeId{region.function, node}, words);
  }
  return under;
}

}  // namespace heddle::select
