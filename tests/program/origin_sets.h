// OriginSets: sets of nodes by number, so that a set is a word and a union is made once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

namespace heddle::program {

using Origins = uint32_t;  // a set, by its number; 0: empty

class OriginSets {
 public:
  OriginSets() : sets_(1) { numbers_[{}] = 0; }

  Origins one(uint32_t node) {
    const auto [known, is_new] = singles_.try_emplace(node);
    if (is_new) known->second = number_of({node});
    return known->second;
  }
  void add(Origins& to, Origins more) {
    if (to == more || more == 0) return;
    if (to == 0) {
      to = more;
      return;
    }
    const auto [known, is_new] = unions_.try_emplace(uint64_t{to} << 32 | more);
    if (is_new) {
      std::vector<uint32_t> both;
      std::set_union(sets_[to].begin(), sets_[to].end(), sets_[more].begin(), sets_[more].end(),
                     std::back_inserter(both));
      known->second = number_of(both);
    }
    to = known->second;
  }
  const std::vector<uint32_t>& members(Origins set) const { return sets_[set]; }

 private:
  Origins number_of(const std::vector<uint32_t>& nodes) {
    const auto [known, is_new] = numbers_.try_emplace(nodes, static_cast<Origins>(sets_.size()));
    if (is_new) sets_.push_back(nodes);
    return known->second;
  }

  std::vector<std::vector<uint32_t>> sets_;
  std::map<std::vector<uint32_t>, Origins> numbers_;
  std::unordered_map<uint32_t, Origins> singles_;
  std::unordered_map<uint64_t, Origins> unions_;
};

}  // namespace heddle::program
