#include "select/matcher.h"

#include <algorithm>
#include <map>
#include <tuple>

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
  // Who overlaps shares a leaf, or a root where there is no leaf.
  using Users = std::map<Location, std::vector<uint32_t>>;
  std::map<uint32_t, Users> by_leaf;
  std::map<uint32_t, Users> by_root;
  for (uint32_t i = 0; i < variables.size(); ++i) {
    for (const Location& location : variables[i].locations) {
      by_leaf[location.leaf][location].push_back(i);
      by_root[location.root][location].push_back(i);
    }
  }
  std::vector<ImpactedPair> pairs;
  for (uint32_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].is_impacted()) continue;
    const auto pair_with = [&](const Location& location, const Users& users) {
      for (const auto& [other, others] : users) {
        if (!location.overlaps(other)) continue;
        const bool is_sure = location.surely_overlaps(other);
        for (const uint32_t j : others)
          if (can_race(variables[i], variables[j]))
            pairs.push_back({std::min(i, j), std::max(i, j), is_sure});
      }
    };
    for (const Location& location : variables[i].locations) {
      if (location.leaf == 0) {
        pair_with(location, by_root[location.root]);
      } else {
        pair_with(location, by_leaf[location.leaf]);
        if (location.root != 0) pair_with(location, by_leaf[0]);
      }
    }
  }
  // Once each; sure if it is by any of its locations.
  const auto order = [](const ImpactedPair& pair) {
    return std::tuple(pair.first, pair.second, !pair.is_sure);
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const ImpactedPair& a, const ImpactedPair& b) { return order(a) < order(b); });
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const ImpactedPair& a, const ImpactedPair& b) {
                            return a.first == b.first && a.second == b.second;
                          }),
              pairs.end());
  return pairs;
}

}  // namespace heddle::select
