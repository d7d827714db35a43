#include "interact/concolic/solver/path_slice.h"

#include <algorithm>
#include <iterator>

#include "interact/concolic/arithmetic.h"

namespace heddle::concolic {

PathSlice::PathSlice(const Recording& recording) : recording_(recording), set_of_(recording.nodes.size()) {
  sets_.emplace_back();
  set_numbers_[{}] = 0;
  std::map<InputPlace, uint32_t> place_numbers;
  for (uint32_t handle = 1; handle < recording.nodes.size(); ++handle) {
    const Node& node = recording.nodes[handle];
    if (node.operation == Operation::kInput) {
      const InputPlace place{node.a, node.b};
      const auto [found, is_new] = place_numbers.try_emplace(place, static_cast<uint32_t>(places_.size()));
      if (is_new) {
        places_.push_back(place);
        recorded_[place] = node.value;
      }
      set_of_[handle] = interned({found->second});
      continue;
    }
    const uint32_t operands[] = {node.a, node.b, node.c};
    for (uint32_t i = 0; i < operand_count(node.operation); ++i)
      set_of_[handle] = united(set_of_[handle], set_of_[operands[i]]);
  }
  events_of_.resize(places_.size());
  for (const size_t event : branches_of(recording)) {
    for (const uint32_t input : inputs_of(recording.events[event].condition))
      events_of_[input].push_back(event);
  }
}

uint32_t PathSlice::interned(std::vector<uint32_t> inputs) {
  const auto [found, is_new] = set_numbers_.try_emplace(inputs, static_cast<uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(std::move(inputs));
  return found->second;
}

uint32_t PathSlice::united(uint32_t a, uint32_t b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const uint64_t key = uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  if (const auto known = unions_.find(key); known != unions_.end()) return known->second;
  std::vector<uint32_t> both;
  std::set_union(sets_[a].begin(), sets_[a].end(), sets_[b].begin(), sets_[b].end(),
                 std::back_inserter(both));
  return unions_[key] = interned(std::move(both));
}

std::vector<size_t> PathSlice::constraints_for(size_t event) const {
  std::vector<bool> has_input(places_.size());
  std::vector<uint32_t> open = inputs_of(recording_.events[event].condition);
  for (const uint32_t input : open) has_input[input] = true;
  std::set<size_t> chosen;
  while (!open.empty()) {
    const uint32_t input = open.back();
    open.pop_back();
    for (const size_t other : events_of_[input]) {
      if (other >= event) break;
      if (!chosen.insert(other).second) continue;
      for (const uint32_t next : inputs_of(recording_.events[other].condition)) {
        if (has_input[next]) continue;
        has_input[next] = true;
        open.push_back(next);
      }
    }
  }
  std::vector<size_t> result;
  std::set<uint32_t> conditions;
  for (const size_t other : chosen) {
    if (conditions.insert(recording_.events[other].condition).second) result.push_back(other);
  }
  return result;
}

}  // namespace heddle::concolic
