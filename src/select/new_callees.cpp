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

}  // namespace

std::map<NodeId, std::set<FunctionIndex>> new_callees(const ProgramStructure& base,
                                                      const ProgramStructure& head,
                                                      const VersionMap& versions) {
  std::map<NodeId, std::set<FunctionIndex>> found;
  for (FunctionIndex f = 0; f < head.program.size(); ++f) {
    if (is_of_a_library(head.program.function(f))) continue;
    const FunctionIndex before = versions.partner(f);
    if (before == kNone) continue;
    const auto now = callees_in(head, f);
    if (now.empty()) continue;
    const auto then = callees_in(base, before);
    for (const auto& [node, callees] : now) {
      const uint32_t equal = versions.equal_node({f, node});
      if (equal == kNone) continue;
      const auto old = then.find(equal);
      for (const FunctionIndex callee : callees) {
        const FunctionIndex old_callee = versions.partner(callee);
        if (old_callee == kNone || (old != then.end() && old->second.contains(old_callee))) continue;
        found[{f, node}].insert(callee);
      }
    }
  }
  return found;
}

}  // namespace heddle::select
