#include "select/lock_changes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "change/readable_text.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::LockedRegion;
using program::NodeId;

namespace {

// Marks an acquisition that the base does not have.
constexpr uint32_t kNew = 1u << 31;

uint32_t acquired_at(const program::Program& program, const LockedRegion& region) {
  return program.function(region.function).blocks[region.acquire.block].ops[region.acquire.op].node;
}

}  // namespace

LockChanges::LockChanges(const ProgramStructure& base, const ProgramStructure& head,
                         const VersionMap& versions)
    : base_(base), head_(head), versions_(versions) {
  std::set<FunctionIndex> with_regions;  // of the base
  for (const LockedRegion& region : base.regions) {
    const uint32_t node = acquired_at(base.program, region);
    with_regions.insert(region.function);
    if (node == kNone) continue;
    for (const uint32_t held : region.nodes)
      base_held_[{region.function, held}].insert({node, region.is_shared, region.is_conditional});
  }
  std::set<FunctionIndex> to_compare;  // of the head
  for (const LockedRegion& region : head.regions) to_compare.insert(region.function);
  for (FunctionIndex f = 0; f < head.program.size(); ++f)
    if (const FunctionIndex before = versions.partner(f); before != kNone && with_regions.contains(before))
      to_compare.insert(f);
  for (const LockedRegion& region : head.regions) {
    uint32_t node = acquired_at(head.program, region);
    if (node == kNone) continue;
    const uint32_t same = versions.equal_node({region.function, node});
    node = same == kNone || versions.change_of({region.function, node}) != nullptr ? node | kNew : same;
    for (const uint32_t held : region.nodes)
      head_held_[{region.function, held}].insert({node, region.is_shared, region.is_conditional});
  }
  for (const FunctionIndex f : to_compare)
    if (const FunctionIndex before = versions.partner(f); before != kNone) compare(f, before);
}

void LockChanges::compare(FunctionIndex head, FunctionIndex base) {
  const auto size = static_cast<uint32_t>(head_.program.function(head).nodes.size());
  for (uint32_t node = 0; node < size; ++node) {
    const uint32_t same = versions_.equal_node({head, node});
    if (same == kNone) continue;
    const Held& before = held_in_base({base, same});
    const Held& after = held_in_head({head, node});
    if (before != after) changed_[{head, node}] = describe(head, base, before, after);
  }
}

std::string LockChanges::describe(FunctionIndex head, FunctionIndex base, const Held& before,
                                  const Held& after) const {
  for (const auto& lock : before) {
    if (after.contains(lock)) continue;
    const program::Node& node = base_.program.function(base).nodes[std::get<0>(lock)];
    return fmt::format("takes it out of the lock `{}`", readable_text(node.text));
  }
  for (const auto& lock : after) {
    if (before.contains(lock)) continue;
    const uint32_t at = std::get<0>(lock);
    const Function& function = (at & kNew) != 0 ? head_.program.function(head) : base_.program.function(base);
    return fmt::format("puts it under the lock `{}`", readable_text(function.nodes[at & ~kNew].text));
  }
  return "";
}

const LockChanges::Held& LockChanges::find(const std::map<NodeId, Held>& held, const NodeId& node) const {
  static const Held kNothing;
  const auto found = held.find(node);
  return found == held.end() ? kNothing : found->second;
}
const LockChanges::Held& LockChanges::held_in_head(const NodeId& head) const {
  return find(head_held_, head);
}
const LockChanges::Held& LockChanges::held_in_base(const NodeId& base) const {
  return find(base_held_, base);
}
const std::string& LockChanges::at(const NodeId& head) const {
  static const std::string kNothing;
  const auto found = changed_.find(head);
  return found == changed_.end() ? kNothing : found->second;
}

}  // namespace heddle::select
