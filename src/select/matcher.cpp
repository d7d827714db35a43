#include "select/matcher.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::select {
namespace {

bool is_touched_by_change(const SharedVariable& variable) {
  return variable.rule == Rule::kAccess || variable.rule == Rule::kQualifier ||
         variable.rule == Rule::kAssumed;
}

bool can_race(const SharedVariable& impacted, const SharedVariable& other) {
  if (!impacted.is_write && !other.is_write) return false;
  if (impacted.is_own_construction || other.is_own_construction) return false;
  return !(impacted.is_atomic && other.is_atomic) || is_touched_by_change(impacted) ||
         is_touched_by_change(other);
}

}  // namespace

std::vector<ImpactedPair> match(const std::vector<SharedVariable>& variables) {
  // By leaf, then by root.
  std::map<uint32_t, std::map<uint32_t, std::vector<uint32_t>>> at;
  for (uint32_t i = 0; i < variables.size(); ++i)
    for (const Location& location : variables[i].locations) at[location.leaf][location.root].push_back(i);
  std::set<ImpactedPair> pairs;
  for (uint32_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].is_impacted()) continue;
    for (const Location& location : variables[i].locations) {
      for (const auto& [root, others] : at[location.leaf]) {
        if (!location.overlaps({location.leaf, root})) continue;
        for (const uint32_t j : others)
          if (can_race(variables[i], variables[j])) pairs.insert({std::min(i, j), std::max(i, j)});
      }
    }
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace heddle::select
