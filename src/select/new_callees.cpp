#include "select/new_callees.h"

#include "select/access_paths.h"

namespace heddle::select {

using program::FunctionIndex;
using program::NodeId;
using program::Op;
using program::OpKind;

namespace {

// By node, the project's functions that it calls.
std::map<uint32_t, std::set<FunctionIndex>> callees_in(const ProgramStructure& of, FunctionIndex f) {
  std::map<uint32_t, std::set<FunctionIndex>> callees;
  const std::vector<program::Block>& blocks = of.program.function(f).blocks;
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    for (uint32_t o = 0; o < blocks[b].ops.size(); ++o) {
      const Op& op = blocks[b].ops[o];
      if (op.kind != OpKind::kCall || op.node == kNone) continue;
      of.calls.for_each_callee({f, b, o}, [&](FunctionIndex callee) {
        if (!is_of_a_library(of.program.function(callee))) callees[op.node].insert(callee);
      });
    }
  }
  return callees;
}

const std::set<FunctionIndex>& callees_of(const std::map<uint32_t, std::set<FunctionIndex>>& callees,
                                          uint32_t node) {
  static const std::set<FunctionIndex> none;
  const auto found = callees.find(node);
  return found == callees.end() ? none : found->second;
}

}  // namespace

std::map<NodeId, NewCallees> new_callees(const ProgramStructure& base, const ProgramStructure& head,
                                         const VersionMap& versions) {
  std::map<NodeId, NewCallees> found;
  for (FunctionIndex f = 0; f < head.program.size(); ++f) {
    if (is_of_a_library(head.program.function(f))) continue;
    const FunctionIndex before = versions.partner(f);
    if (before == kNone) continue;
    const auto now = callees_in(head, f);
    const auto then = callees_in(base, before);
    if (now.empty() && then.empty()) continue;
    const auto node_count = static_cast<uint32_t>(head.program.function(f).nodes.size());
    for (uint32_t node = 0; node < node_count; ++node) {
      const uint32_t equal = versions.equal_node({f, node});
      if (equal == kNone) continue;
      const std::set<FunctionIndex>& news = callees_of(now, node);
      std::set<FunctionIndex> lost = callees_of(then, equal);
      std::set<FunctionIndex> more;
      std::set<FunctionIndex> all;
      for (const FunctionIndex callee : news) {
        const FunctionIndex old_callee = versions.partner(callee);
        const bool was_called = old_callee != kNone && callees_of(then, equal).contains(old_callee);
        lost.erase(old_callee);
        all.insert(callee);
        if (!was_called && versions.is_in_base(callee)) more.insert(callee);
      }
      if (!lost.empty()) {
        found[{f, node}] = {std::move(all), std::move(lost)};
      } else if (!more.empty()) {
        found[{f, node}] = {std::move(more), {}};
      }
    }
  }
  return found;
}

}  // namespace heddle::select
